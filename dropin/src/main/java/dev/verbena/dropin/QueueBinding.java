package dev.verbena.dropin;

import org.jspecify.annotations.Nullable;

/**
 * A queue that receives are posted to, and the program's struct of it; the context object of the
 * queue, so it is there before the queue.
 */
abstract class QueueBinding<T> implements ReceiveBinding {
  private final long struct;
  private final String what;
  private @Nullable T queue;
  private int maxRecvSge;

  /**
   * @param struct address of the program's struct
   * @param what the queue, as "a work queue"
   */
  QueueBinding(long struct, String what) {
    this.struct = struct;
    this.what = what;
  }

  /**
   * Sets the queue, which is made with this object as its context.
   *
   * @param mostElements of one receive
   */
  final void bind(T made, int mostElements) {
    queue = made;
    maxRecvSge = mostElements;
  }

  /** The queue. */
  final T queue() {
    T present = queue;
    if (present == null) {
      throw new IllegalStateException(what + " is used before it is made");
    }
    return present;
  }

  @Override
  public final int maxRecvSge() {
    return maxRecvSge;
  }

  final long struct() {
    return struct;
  }
}
