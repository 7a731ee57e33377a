package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Export;
import dev.verbena.soft.link.ExportableMemory;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.ImportedQueuePair;
import dev.verbena.soft.link.Requests;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The exports of a device, and of the devices that it has connected queue pairs with. */
final class SharedMemoryExports implements Exports {
  /** How long an address without a device is not looked at again. */
  private static final long ABSENT_NANOS = 100_000_000;

  private static final long TIDY_NANOS = 100_000_000;

  private final Rendezvous rendezvous;
  private final OwnExports own;
  private final Map<Address, Known> peers = new ConcurrentHashMap<>();
  private long tidiedAt = System.nanoTime();
  private boolean closed;

  /** What is known of an address: its exports, or null if there were none at that time. */
  private record Known(@Nullable PeerExports exports, long since) {}

  SharedMemoryExports(Rendezvous rendezvous, OwnExports own) {
    this.rendezvous = rendezvous;
    this.own = own;
  }

  @Override
  public @Nullable ExportableMemory allocate(Arena arena, long bytes) {
    return own.allocate(arena, bytes);
  }

  @Override
  public Export queuePair(Requests requests, int access, long domain) {
    return own.queuePair(requests, access, domain);
  }

  @Override
  public @Nullable ImportedQueuePair find(Requests requests) {
    Known known = peers.get(requests.to());
    if (known == null || isOld(known)) {
      known = look(requests.to());
    }
    return known.exports == null ? null : known.exports.find(requests);
  }

  private static boolean isOld(Known known) {
    return known.exports == null
        ? System.nanoTime() - known.since > ABSENT_NANOS
        : known.exports.isClosed();
  }

  private synchronized Known look(Address address) {
    Known known = peers.get(address);
    if (known == null || isOld(known)) {
      PeerExports found = closed ? null : PeerExports.open(rendezvous, address);
      known = new Known(found, System.nanoTime());
      peers.put(address, known);
    }
    return known;
  }

  /**
   * Gives back, from time to time, what peers do not export any more. For one thread at a time,
   * which calls it often.
   */
  void tidy() {
    long now = System.nanoTime();
    if (now - tidiedAt < TIDY_NANOS) {
      return;
    }
    tidiedAt = now;
    for (Known known : peers.values()) {
      if (known.exports != null) {
        known.exports.tidy();
      }
    }
    peers.values().removeIf(SharedMemoryExports::isOld);
  }

  /** Ends all use of other processes' memory, and exports nothing any more. */
  synchronized void close() {
    closed = true;
    own.close();
    for (Known known : peers.values()) {
      if (known.exports != null) {
        known.exports.close();
      }
    }
  }
}
