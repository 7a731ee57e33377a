package dev.verbena.jcstress.rings;

import dev.verbena.soft.queue.RecvQueue;
import dev.verbena.soft.queue.RecvWqe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JI_Result;

/** A responder takes a receive, whole, from a full queue while one more is posted. */
@JCStressTest
@Outcome(id = "5, 0", expect = Expect.ACCEPTABLE, desc = "the slot was free in time")
@Outcome(id = "5, 1", expect = Expect.ACCEPTABLE, desc = "the queue was full")
@State
public class PublishedReceives {
  private final RecvQueue queue = new RecvQueue(1, 1);
  private boolean posted;

  /** The only slot is taken. */
  public PublishedReceives() {
    post(5);
  }

  private void post(long id) {
    RecvWqe wqe = queue.claim(0);
    wqe.begin(id);
    queue.publish(1);
  }

  @Actor
  public void responds(JI_Result r) {
    RecvWqe wqe = queue.peek();
    r.r1 = wqe == null ? -1 : wqe.wrId();
    queue.remove();
  }

  @Actor
  public void posts() {
    if (queue.free() > 0) {
      post(6);
      posted = true;
    }
  }

  @Arbiter
  public void result(JI_Result r) {
    RecvWqe wqe = queue.peek();
    // Only the second one can be there now, and only whole; it must be, if it was posted.
    if (posted) {
      r.r2 = wqe != null && wqe.wrId() == 6 ? 0 : -1;
    } else {
      r.r2 = wqe == null ? 1 : -1;
    }
  }
}
