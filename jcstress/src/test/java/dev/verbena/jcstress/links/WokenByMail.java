package dev.verbena.jcstress.links;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/**
 * A datagram comes while its receiver falls asleep, by futex in every other state, and otherwise in
 * a wait for its socket as well: it wakes up.
 */
@JCStressTest
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "received")
@State
public class WokenByMail {
  private final Mail mail = Mail.takeEither();

  @Actor
  public void sends() {
    mail.sendFirst(7);
  }

  @Actor
  public void sleeps(J_Result r) {
    r.r1 = mail.awaitOne();
  }

  @Arbiter
  public void end() {
    mail.giveBack();
  }
}
