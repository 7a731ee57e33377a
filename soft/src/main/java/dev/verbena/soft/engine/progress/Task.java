package dev.verbena.soft.engine.progress;

/**
 * A task of a {@link Schedule}: a queue pair. It runs when it is ready, when the link may take its
 * packets again, and when its deadline has passed.
 */
public abstract non-sealed class Task implements Timed {
  final ReadyList.Node<Task> readyPlace = new ReadyList.Node<>(this);
  final ReadyList.Node<Task> expiredPlace = new ReadyList.Node<>(this);
  final ReadyList.Node<Task> refusedPlace = new ReadyList.Node<>(this);
  final TimerWheel.Entry<Timed> timer = new TimerWheel.Entry<>(this);

  /** A task that is not ready. */
  protected Task() {}

  /** The queue pair's number, for messages. */
  protected abstract int number();

  /**
   * Does what is due, once; lists itself again for whatever is left.
   *
   * @param now time, or {@link dev.verbena.soft.transport.Clock#NEVER} to ignore deadlines
   * @return whether a budget was spent
   */
  protected abstract boolean serve(long now);

  /** The deadline has passed: the next {@link #serve} looks at it. */
  protected abstract void timeOver();

  /** {@link #serve} has failed midway: everything that it may have left out is due. */
  protected abstract void startOver();

  /** Whether the link refused a packet the last time. */
  protected abstract boolean isRefused();

  /** The link may take packets again. */
  protected abstract void mayTryAgain();
}
