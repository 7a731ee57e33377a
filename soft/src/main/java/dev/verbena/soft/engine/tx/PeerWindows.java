package dev.verbena.soft.engine.tx;

import dev.verbena.soft.transport.CongestionControl;
import dev.verbena.soft.transport.CongestionControls;
import dev.verbena.soft.transport.requester.LossWindow;
import dev.verbena.soft.transport.requester.PeerWindow;
import dev.verbena.wire.Address;
import java.util.HashMap;
import java.util.Map;

/**
 * The destinations of a device's queue pairs: a {@link PeerWindow} for each, and a {@link
 * LossWindow} for each queue pair. A destination is removed with its last queue pair.
 */
public final class PeerWindows implements CongestionControls {
  private static final class Entry {
    private final PeerWindow window = new PeerWindow();
    private int users;
  }

  private final Map<Address, Entry> destinations = new HashMap<>();

  /** The destinations of a new device. */
  public PeerWindows() {}

  @Override
  public synchronized CongestionControl to(Address destination) {
    Entry entry = destinations.computeIfAbsent(destination, address -> new Entry());
    entry.users++;
    return new LossWindow(entry.window, () -> release(destination, entry));
  }

  private synchronized void release(Address destination, Entry entry) {
    entry.users--;
    if (entry.users == 0) {
      destinations.remove(destination);
    }
  }
}
