package dev.verbena.soft.engine.progress;

import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LockGuard} looks at: a superclass of its own, because Java puts the longs of a
 * class first, and so a gap of longs in the same class in front of these fields instead of behind
 * them.
 */
abstract class LockState extends AbstractQueuedSynchronizer {
  private static final long serialVersionUID = 1L;

  /** Whether anyone may enter. */
  volatile boolean open;

  /** The first thread that sleeps for it; others queue meanwhile, which makes an object of each. */
  transient volatile @Nullable Thread sleeper;
}
