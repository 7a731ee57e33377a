package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** A model of a send queue: order, room, and one completion for each signaled request. */
final class SendModel {
  private final int depth;
  private final Deque<Op> outstanding = new ArrayDeque<>();
  private long posted;
  private long reclaimed;
  private long lastSignaled = -1;

  SendModel(int depth) {
    this.depth = depth;
  }

  int depth() {
    return depth;
  }

  /** Whether there is room for this many more. */
  boolean hasRoom(int count) {
    return posted + count - reclaimed <= depth;
  }

  /**
   * Whether a request this far ahead must be signaled, because the queue might otherwise stay full.
   */
  boolean mustSignal(int ahead) {
    return posted + ahead + 1 - lastSignaled > depth / 2;
  }

  long nextWrId() {
    return posted;
  }

  boolean isIdle() {
    return outstanding.isEmpty();
  }

  /** The posted requests that have not completed, as far as is known. */
  Collection<Op> outstanding() {
    return outstanding;
  }

  void posted(Op op) {
    outstanding.add(op);
    if (op.isSignaled()) {
      lastSignaled = posted;
    }
    posted++;
  }

  /**
   * The request of a completion.
   *
   * @param succeeded accepts the unsignaled requests before it, which have succeeded
   */
  Op complete(WorkCompletion wc, Consumer<Op> succeeded) {
    Op op = outstanding.poll();
    while (op != null && op.wrId() != wc.wrId()) {
      assertThat(op.isSignaled()).as("%s was passed over by %s", op, wc).isFalse();
      succeeded.accept(op);
      op = outstanding.poll();
    }
    if (op == null) {
      throw new AssertionError("no request for " + wc);
    }
    reclaimed = wc.wrId() + 1;
    return op;
  }

  /**
   * Call it when the queue was flushed and all completions were taken. The remaining requests have
   * succeeded, because a flushed one has a completion.
   */
  void succeedRest(Consumer<Op> succeeded) {
    while (!outstanding.isEmpty()) {
      Op op = outstanding.remove();
      assertThat(op.isSignaled()).as("%s was lost", op).isFalse();
      succeeded.accept(op);
    }
  }

  /** The queue was reset; outstanding requests may or may not have been executed. */
  List<Op> takeAll() {
    List<Op> rest = new ArrayList<>(outstanding);
    outstanding.clear();
    return rest;
  }

  /** The queue is empty again. */
  void restart() {
    reclaimed = posted;
    lastSignaled = posted - 1;
  }
}
