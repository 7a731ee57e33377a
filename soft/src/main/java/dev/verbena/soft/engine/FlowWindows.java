package dev.verbena.soft.engine;

import java.util.ArrayList;
import java.util.List;

/** The destinations that an engine's queue pairs send packets to. */
final class FlowWindows {
  private final List<FlowWindow> windows = new ArrayList<>();
  private volatile boolean inUse;

  /** The window towards a destination; to be {@link #release}d. */
  synchronized FlowWindow acquire(long hi, long lo) {
    inUse = true;
    for (FlowWindow window : windows) {
      if (window.isTo(hi, lo)) {
        window.addUsers(1);
        return window;
      }
    }
    FlowWindow window = new FlowWindow(hi, lo);
    window.addUsers(1);
    windows.add(window);
    return window;
  }

  /** A queue pair sends there no longer. */
  synchronized void release(FlowWindow window) {
    if (window.addUsers(-1) == 0) {
      windows.remove(window);
      inUse = !windows.isEmpty();
    }
  }

  /** Whether any queue pair sends packets. */
  boolean isInUse() {
    return inUse;
  }
}
