package dev.verbena.jcstress.rings;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads add two completions each: each comes once, whole, and in its thread's order. */
@JCStressTest
@Outcome(
    id = {"1234", "1324", "1342", "3124", "3142", "3412"},
    expect = Expect.ACCEPTABLE,
    desc = "1 before 2, and 3 before 4")
@State
public class AddedCompletions {
  private final Completions completions = new Completions(4);

  @Actor
  public void adds() {
    completions.add(1);
    completions.add(2);
  }

  @Actor
  public void addsOthers() {
    completions.add(3);
    completions.add(4);
  }

  @Arbiter
  public void result(I_Result r) {
    r.r1 = completions.pollAll();
  }
}
