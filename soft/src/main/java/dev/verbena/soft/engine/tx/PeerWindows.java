package dev.verbena.soft.engine.tx;

import dev.verbena.wire.Address;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The destinations that an engine's queue pairs send packets to, and who expects packets. */
public final class PeerWindows {
  private final Map<Address, PeerWindow> windows = new HashMap<>();
  private final Set<Transmitter> listeners = new HashSet<>();
  private volatile boolean inUse;

  /** The peer window towards a destination; to be {@link #release}d. */
  synchronized PeerWindow acquire(Address destination) {
    PeerWindow window = windows.computeIfAbsent(destination, PeerWindow::new);
    window.addUsers(1);
    update();
    return window;
  }

  /** A queue pair sends there no longer. */
  synchronized void release(PeerWindow window) {
    if (window.addUsers(-1) == 0) {
      windows.remove(window.destination());
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
