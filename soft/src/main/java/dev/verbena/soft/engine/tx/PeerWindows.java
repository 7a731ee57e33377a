package dev.verbena.soft.engine.tx;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The destinations that an engine's queue pairs send packets to, and who expects packets. */
public final class PeerWindows {
  private final List<PeerWindow> windows = new ArrayList<>();
  private final Set<Transmitter> listeners = new HashSet<>();
  private volatile boolean inUse;

  /** The window towards a destination; to be {@link #release}d. */
  synchronized PeerWindow acquire(long hi, long lo) {
    for (PeerWindow window : windows) {
      if (window.isTo(hi, lo)) {
        window.addUsers(1);
        return window;
      }
    }
    PeerWindow window = new PeerWindow(hi, lo);
    window.addUsers(1);
    windows.add(window);
    update();
    return window;
  }

  /** A queue pair sends there no longer. */
  synchronized void release(PeerWindow window) {
    if (window.addUsers(-1) == 0) {
      windows.remove(window);
      update();
    }
  }

  /** A queue pair without a peer of its own expects packets from anywhere. Idempotent. */
  synchronized void listen(Transmitter who) {
    listeners.add(who);
    update();
  }

  /** Takes back {@link #listen}. */
  synchronized void ignore(Transmitter who) {
    listeners.remove(who);
    update();
  }

  private void update() {
    inUse = !windows.isEmpty() || !listeners.isEmpty();
  }

  /** Whether any queue pair sends or expects packets. */
  public boolean isInUse() {
    return inUse;
  }
}
