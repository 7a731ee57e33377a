package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** What a send queue should do: order, room, one completion for each request that asks. */
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

  /** Whether a request this far ahead must be signaled, or the queue might never be free again. */
  boolean mustSignal(int ahead) {
    return posted + ahead + 1 - lastSignaled > depth / 2;
  }

  long nextWrId() {
    return posted;
  }

  boolean isIdle() {
    return outstanding.isEmpty();
  }

  /** What was posted and has not completed, as far as is known. */
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
   * The request that a completion is of.
   *
   * @param succeeded takes those before it, which did not ask for one and have succeeded
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
   * The queue was flushed and all completions were taken: what is left has succeeded, or it would
   * have been flushed with a completion.
   */
  void succeedRest(Consumer<Op> succeeded) {
    while (!outstanding.isEmpty()) {
      Op op = outstanding.remove();
      assertThat(op.isSignaled()).as("%s was lost", op).isFalse();
      succeeded.accept(op);
    }
  }

  /** The queue was reset: what was outstanding may or may not have happened. */
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
