package dev.verbena.soft.engine.progress;

/**
 * What a {@link Schedule} runs: a queue pair. It is run when it is ready, when the link may take
 * its packets again, and when its deadline has passed.
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
   * Does what is to be done, once; whatever is left it lists again.
   *
   * @param now time, or {@link dev.verbena.soft.transport.Clock#NEVER} not to look at deadlines
   * @return whether a budget was spent
   */
  protected abstract boolean serve(long now);

  /** The deadline has passed: the next {@link #serve} looks at it. */
  protected abstract void timeOver();

  /** {@link #serve} has failed on its way: whatever it may have left out is to be done. */
  protected abstract void startOver();

  /** Whether the link took no packet the last time. */
  protected abstract boolean isRefused();

  /** The link may take packets again. */
  protected abstract void mayTryAgain();
}
