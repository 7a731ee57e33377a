package dev.verbena.soft.memory;

import java.util.HashSet;
import java.util.Set;

/**
 * A queue pair as the owner of the type 2 windows that were bound through it; their {@link Grant}
 * says who may use them.
 */
public final class WindowOwner {
  private enum Half {
    BOTH,
    INITIATOR,
    TARGET
  }

  private final Half half;

  /** The memory windows; under the lock of {@link Windows}. */
  private final Set<Window> windows = new HashSet<>();

  private WindowOwner(Half half) {
    this.half = half;
  }

  /** A queue pair that binds windows and gets requests; owns nothing yet. */
  public WindowOwner() {
    this(Half.BOTH);
  }

  /** A queue pair that binds windows and gets no requests: XRC_SEND. */
  public static WindowOwner initiator() {
    return new WindowOwner(Half.INITIATOR);
  }

  /** A queue pair that only gets requests: XRC_RECV. */
  public static WindowOwner target() {
    return new WindowOwner(Half.TARGET);
  }

  /** Whether windows that it binds are for requests to another queue pair. */
  public boolean isInitiator() {
    return half == Half.INITIATOR;
  }

  boolean isTarget() {
    return half == Half.TARGET;
  }

  Set<Window> windows() {
    return windows;
  }
}
