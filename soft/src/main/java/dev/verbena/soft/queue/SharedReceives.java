package dev.verbena.soft.queue;

import dev.verbena.soft.memory.Domain;
import org.jspecify.annotations.Nullable;

/** Receives that a queue pair takes from a shared queue, one at a time (S3.4.4). */
public final class SharedReceives implements ReceiveSource {
  private final SharedRecvQueue queue;
  private final CompletionRing ring;
  private final Domain domain;
  private final Domain ofQueuePair;

  /** The taken receive, or the spare one to leave for the next. */
  private RecvWqe wqe;

  private boolean taken;

  /**
   * @param queue the receives
   * @param ring the ring for completions of taken receives
   * @param domain the domain of their memory, which is the shared queue's
   * @param ofQueuePair the queue pair's domain
   */
  public SharedReceives(
      SharedRecvQueue queue, CompletionRing ring, Domain domain, Domain ofQueuePair) {
    this.queue = queue;
    this.ring = ring;
    this.domain = domain;
    this.ofQueuePair = ofQueuePair;
    wqe = queue.newSpare();
  }

  @Override
  public Domain keyDomain(int srqNum) {
    return ofQueuePair;
  }

  @Override
  public boolean isPosted() {
    return taken || !queue.isEmpty();
  }

  @Override
  public @Nullable RecvWqe take() {
    if (taken) {
      return wqe;
    }
    RecvWqe oldest = queue.take(wqe);
    if (oldest != null) {
      wqe = oldest;
      taken = true;
    }
    return oldest;
  }

  @Override
  public @Nullable RecvWqe owned() {
    return taken ? wqe : null;
  }

  @Override
  public void release() {
    taken = false;
  }

  @Override
  public void putBack() {
    if (taken) {
      wqe = queue.putBack(wqe);
      taken = false;
    }
  }

  @Override
  public void reset() {
    putBack();
  }

  @Override
  public CompletionRing ring() {
    return ring;
  }

  @Override
  public Domain domain() {
    return domain;
  }

  @Override
  public void dump(StringBuilder text) {
    queue.dump(text);
    text.append(taken ? ", and one taken from it" : "");
  }

  @Override
  public boolean isShared() {
    return true;
  }
}
