package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.post.CursorSide;
import dev.verbena.verbs.CompletionQueue;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cursors of the completion queues that an object reports to. Drivers hold a queue's lock as
 * long as its cursor is open, and take it to remove the completions of what ends or is reset. So a
 * thread would wait for itself for ever; for another thread's cursor it waits as in C.
 */
final class Cursors {
  private final List<NativeCompletionQueueEx> queues;

  private Cursors(List<NativeCompletionQueueEx> queues) {
    this.queues = queues;
  }

  /** Those of these queues that have one. */
  static Cursors of(@Nullable CompletionQueue... queues) {
    return new Cursors(
        Stream.of(queues)
            .filter(NativeCompletionQueueEx.class::isInstance)
            .map(NativeCompletionQueueEx.class::cast)
            .distinct()
            .toList());
  }

  /**
   * Refuses a call that resets or ends the object.
   *
   * @throws IllegalStateException if this thread has one open
   */
  void requireClosed(String verb) {
    queues.forEach(queue -> queue.requireNoCursor(verb));
  }

  /** Ends those that this thread has open; for an object that ends without being asked. */
  Runnable ending() {
    List<CursorSide> sides = queues.stream().map(NativeCompletionQueueEx::cursor).toList();
    return () -> sides.forEach(CursorSide::giveUp);
  }
}
