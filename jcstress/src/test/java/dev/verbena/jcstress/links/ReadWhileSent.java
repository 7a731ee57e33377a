package dev.verbena.jcstress.links;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.J_Result;

/** The owner reads while a sender writes: no datagram is seen before it is whole, or twice. */
@JCStressTest
@Outcome(id = "123", expect = Expect.ACCEPTABLE, desc = "all, in order")
@State
public class ReadWhileSent {
  private static final int BASE = 10;

  private final Mail mail = Mail.take();
  private long seen;

  @Actor
  public void sends() {
    mail.sendFirst(1);
    mail.sendFirst(2);
    mail.sendFirst(3);
  }

  @Actor
  public void reads() {
    mail.receive(this::see);
  }

  private void see(long number) {
    seen = seen * BASE + number;
  }

  @Arbiter
  public void result(J_Result r) {
    mail.receive(this::see);
    r.r1 = seen;
    mail.giveBack();
  }
}
