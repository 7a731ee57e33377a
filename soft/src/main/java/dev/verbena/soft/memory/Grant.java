package dev.verbena.soft.memory;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair whose requests may use a bound type 2 window; there is only one (type 2B; S5.3.8),
 * the one that bound it. An XRC_SEND queue pair gets no requests, so a window bound through it is
 * for the first XRC target at which a request uses it, and from then on for no other.
 */
public final class Grant {
  private final WindowOwner binder;
  private final AtomicReference<@Nullable WindowOwner> user;

  Grant(WindowOwner binder) {
    this.binder = binder;
    user = new AtomicReference<>(binder.isInitiator() ? null : binder);
  }

  /** The queue pair through which the window was bound, and with which the binding ends. */
  WindowOwner binder() {
    return binder;
  }

  /**
   * Whether requests to this queue pair may use it. If it had no target so far, this call makes it
   * this target's.
   */
  boolean admits(WindowOwner target) {
    WindowOwner present = user.get();
    return present == target
        || (present == null && target.isTarget() && user.compareAndSet(null, target));
  }

  /** Whether this queue pair, or its peer, may end it. */
  boolean mayBeEndedBy(WindowOwner by) {
    return binder == by || admits(by);
  }
}
