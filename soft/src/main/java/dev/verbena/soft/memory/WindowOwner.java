package dev.verbena.soft.memory;

import java.util.HashSet;
import java.util.Set;

/**
 * A queue pair as the owner of the type 2 windows that were bound through it; who may use them says
 * their {@link Grant}.
 */
public final class WindowOwner {
  private enum Half {
    BOTH,
    INITIATOR,
    TARGET
  }

  private final Half half;

  /** The windows; under the lock of {@link Windows}. */
  private final Set<Window> windows = new HashSet<>();

  private WindowOwner(Half half) {
    this.half = half;
  }

  /** One that binds windows, and gets requests; owns nothing yet. */
  public WindowOwner() {
    this(Half.BOTH);
  }

  /** One that binds windows, and gets no requests: XRC_SEND. */
  public static WindowOwner initiator() {
    return new WindowOwner(Half.INITIATOR);
  }

  /** One that only gets requests: XRC_RECV. */
  public static WindowOwner target() {
    return new WindowOwner(Half.TARGET);
  }

  /** Whether windows that it binds are for requests that come elsewhere. */
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
