package dev.verbena.soft.queue;

import dev.verbena.soft.memory.Domain;
import org.jspecify.annotations.Nullable;

/** Receives from a queue pair's own queue. */
public final class OwnReceives implements ReceiveSource {
  private final RecvQueue queue;
  private final CompletionRing ring;
  private final Domain domain;

  /**
   * @param queue the receives
   * @param ring the ring for their completions
   * @param domain of the queue pair
   */
  public OwnReceives(RecvQueue queue, CompletionRing ring, Domain domain) {
    this.queue = queue;
    this.ring = ring;
    this.domain = domain;
  }

  @Override
  public Domain keyDomain(int srqNum) {
    return domain;
  }

  @Override
  public boolean isPosted() {
    return queue.peek() != null;
  }

  @Override
  public int posted() {
    return queue.posted();
  }

  @Override
  public void awaited(boolean whether) {
    queue.awaited(whether);
  }

  @Override
  public boolean isAwaited() {
    return queue.isAwaited();
  }

  @Override
  public @Nullable RecvWqe take() {
    return queue.peek();
  }

  @Override
  public @Nullable RecvWqe owned() {
    return queue.peek();
  }

  @Override
  public void release() {
    queue.remove();
  }

  @Override
  public void putBack() {}

  @Override
  public void reset() {
    queue.reset();
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
    text.append(queue.capacity() - queue.free());
    text.append(" of ").append(queue.capacity()).append(" posted");
  }

  @Override
  public boolean isShared() {
    return false;
  }
}
