package dev.verbena.dropin.object;

import org.jspecify.annotations.Nullable;

/**
 * A queue for receives, and the program's struct for it. It is the context object of the queue, so
 * it exists before the queue.
 */
public abstract class QueueBinding<T> implements ReceiveBinding {
  private final long struct;
  private final String what;
  private @Nullable T queue;
  private int maxRecvSge;

  /**
   * @param struct address of the program's struct
   * @param what name of the queue, such as "a work queue"
   */
  QueueBinding(long struct, String what) {
    this.struct = struct;
    this.what = what;
  }

  /**
   * Sets the queue, which is created with this object as its context.
   *
   * @param mostElements maximum number of elements of a receive
   */
  public final void bind(T made, int mostElements) {
    queue = made;
    maxRecvSge = mostElements;
  }

  /** The queue. */
  public final T queue() {
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

  public final long struct() {
    return struct;
  }
}
