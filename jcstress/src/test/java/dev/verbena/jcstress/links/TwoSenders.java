package dev.verbena.jcstress.links;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Two senders fill their rings at the same time: each one's datagrams arrive once and in order. */
@JCStressTest
@Outcome(id = "123, 456", expect = Expect.ACCEPTABLE, desc = "all, in order")
@State
public class TwoSenders {
  private static final int BASE = 10;
  private static final int OF_SECOND = 4;

  private final Mail mail = Mail.take();

  @Actor
  public void first() {
    mail.sendFirst(1);
    mail.sendFirst(2);
    mail.sendFirst(3);
  }

  @Actor
  public void second() {
    mail.sendSecond(4);
    mail.sendSecond(5);
    mail.sendSecond(6);
  }

  @Arbiter
  public void result(JJ_Result r) {
    mail.receive(
        number -> {
          if (number < OF_SECOND) {
            r.r1 = r.r1 * BASE + number;
          } else {
            r.r2 = r.r2 * BASE + number;
          }
        });
    mail.giveBack();
  }
}
