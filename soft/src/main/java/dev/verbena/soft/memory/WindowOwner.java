package dev.verbena.soft.memory;

import java.util.HashSet;
import java.util.Set;

/**
 * A queue pair as the owner of the type 2 windows that were bound through it: only its peer may use
 * them (type 2B; S5.3.8).
 */
public final class WindowOwner {
  /** The windows; under the lock of {@link Windows}. */
  private final Set<Window> windows = new HashSet<>();

  /** Owns nothing. */
  public WindowOwner() {}

  Set<Window> windows() {
    return windows;
  }
}
