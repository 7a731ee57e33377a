package dev.verbena.rdmacore.post;

import dev.verbena.verbs.provider.Exclusion;
import java.util.concurrent.Semaphore;

/** An exclusion without an owner, so that threads can hand it over. */
public final class SemaphoreExclusion implements Exclusion {
  /** More than threads can wait. */
  private static final int EVERYBODY = 1 << 30;

  private final Semaphore semaphore = new Semaphore(1);

  @Override
  public void enter() {
    semaphore.acquireUninterruptibly();
  }

  @Override
  public void exit() {
    semaphore.release();
  }

  @Override
  public void takeOver() {}

  @Override
  public void open() {
    semaphore.release(EVERYBODY);
  }
}
