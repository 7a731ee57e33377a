package dev.verbena.soft.memory;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * For whose requests a type 2 window was bound: those of one queue pair only (type 2B; S5.3.8). It
 * is the one that bound it. An XRC_SEND queue pair gets no requests: what was bound through it is
 * for the first target of XRC at which a request uses it, and from then on for no other.
 */
public final class Grant {
  private final WindowOwner binder;
  private final AtomicReference<@Nullable WindowOwner> user;

  Grant(WindowOwner binder) {
    this.binder = binder;
    user = new AtomicReference<>(binder.isInitiator() ? null : binder);
  }

  /** The queue pair through which it was bound, and with which it ends. */
  WindowOwner binder() {
    return binder;
  }

  /**
   * Whether it is for requests that come to this queue pair. If it was nobody's so far, the answer
   * makes it this target's.
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
