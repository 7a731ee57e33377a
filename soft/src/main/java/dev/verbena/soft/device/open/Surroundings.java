package dev.verbena.soft.device.open;

import dev.verbena.soft.device.spec.SoftSpec;
import dev.verbena.soft.engine.ether.EtherSegment;
import dev.verbena.soft.link.EtherLink;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.shm.SharedMemoryLink;
import dev.verbena.soft.link.socket.PacketLink;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What devices need from their environment, which tests can replace by a virtual one.
 *
 * @param clock engine time
 * @param random source of keys, queue pair numbers and first PSNs
 * @param threaded whether each device has its own thread
 * @param links opens the link of a device
 * @param segment the Ethernet segment of devices without a network interface
 */
public record Surroundings(
    Clock clock, RandomGenerator random, boolean threaded, LinkOpener links, EtherSegment segment) {

  /** Opens links. */
  @FunctionalInterface
  public interface LinkOpener {
    /**
     * Opens the link of the device with this address.
     *
     * @throws dev.verbena.verbs.VerbsException if it is not available
     */
    Link open(Gid gid, SoftSpec spec, Tally tally);

    /**
     * Opens the device's link to other processes on this computer, beside the one to everybody.
     *
     * @throws dev.verbena.verbs.VerbsException if there cannot be one, with the reason
     */
    default SharedMemoryLink openOnHost(Link network, Tally tally) {
      throw new VerbsException("openDevice", Errno.EOPNOTSUPP, "there are no other processes");
    }

    /**
     * Opens the network interface that the specification names; null if it names none.
     *
     * @throws dev.verbena.verbs.VerbsException if it is not available
     */
    default @Nullable EtherLink openEther(SoftSpec spec, Tally tally) {
      String name = spec.ether();
      return name == null ? null : PacketLink.open(name, tally::add);
    }
  }

  /** The real environment. */
  public static Surroundings real() {
    long start = System.nanoTime();
    return new Surroundings(
        () -> System.nanoTime() - start,
        new SecureRandom(),
        /* threaded= */ true,
        new Real(),
        EtherSegment.shared());
  }

  private static final class Real implements LinkOpener {
    @Override
    public Link open(Gid gid, SoftSpec spec, Tally tally) {
      return openLink(gid, spec, tally);
    }

    @Override
    public SharedMemoryLink openOnHost(Link network, Tally tally) {
      return Links.openOnHost(network, tally::add);
    }
  }

  private static Link openLink(Gid gid, SoftSpec spec, Tally tally) {
    LongSupplier wallClock = () -> ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
    Address address = Gids.address(gid);
    return spec.node() == null
        ? Links.open(
            address, spec.packetLink(gid), spec.faults(), spec.capture(), tally::add, wallClock)
        : Links.openInfiniBand(address, spec.faults(), spec.capture(), tally::add, wallClock);
  }
}
