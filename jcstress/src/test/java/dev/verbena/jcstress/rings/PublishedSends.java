package dev.verbena.jcstress.rings;

import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJI_Result;

/** A requester sees a send request whole or not at all. */
@JCStressTest
@Outcome(id = "-1, -1, -1", expect = Expect.ACCEPTABLE, desc = "not yet published")
@Outcome(id = "7, 8, 9", expect = Expect.ACCEPTABLE, desc = "whole")
@State
public class PublishedSends {
  private final SendQueue queue = new SendQueue(4, 1, 0);

  @Actor
  public void posts() {
    SendWqe wqe = queue.claim(0);
    wqe.begin(7, SendOperation.of(WrOpcode.RDMA_WRITE), SendFlags.SIGNALED, true);
    wqe.remote(8, 9);
    queue.publish(1);
  }

  @Actor
  public void runs(JJI_Result r) {
    SendWqe wqe = queue.published(0);
    r.r1 = wqe == null ? -1 : wqe.wrId;
    r.r2 = wqe == null ? -1 : wqe.remoteAddr;
    r.r3 = wqe == null ? -1 : wqe.rkey;
  }
}
