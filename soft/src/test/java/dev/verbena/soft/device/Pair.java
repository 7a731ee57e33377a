package dev.verbena.soft.device;

import dev.verbena.soft.device.open.Surroundings;
import dev.verbena.soft.engine.ether.EtherSegment;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.SendBatch;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.transport.Clock;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.LinkKind;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * Two devices in virtual time. Only {@link #step} makes progress, only {@link #advance} lets time
 * pass, and a seed decides everything else.
 */
public final class Pair implements AutoCloseable {
  // Parallel runs must not share addresses in the registry of loopback peers.
  private static final AtomicInteger ADDRESSES = new AtomicInteger(0x0a_80_00_01);
  private static final int MOST_ROUNDS = 1_000_000;

  /** No limit to packets in flight except that of the in-memory link. */
  public static final int WIDE = 0;

  private final SoftContext left;
  private final SoftContext right;
  private long now;

  private Pair(
      long seed,
      FaultSpec faults,
      boolean loopback,
      int mostInFlight,
      Packing packing,
      UnaryOperator<Link> tap) {
    SplittableRandom random = new SplittableRandom(seed);
    MemoryNetwork network = new MemoryNetwork();
    int mostSegments = random.nextInt(2, SendBatch.CAPACITY + 1);
    Surroundings.LinkOpener links =
        (gid, spec, tally) -> {
          Link wide = network.open(Gids.address(gid), tally::add);
          Link link = mostInFlight == WIDE ? wide : new NarrowLink(wide, mostInFlight);
          return tap.apply(packing.over(link, mostSegments, faults, tally::add));
        };
    OpenDevices devices =
        new OpenDevices(new Surroundings(() -> now, random, false, links, new EtherSegment()));
    LinkKind kind = loopback ? LinkKind.AUTO : LinkKind.PACKET;
    left = devices.open(DeviceSpec.soft(nextAddress(faults)).link(kind));
    right = devices.open(DeviceSpec.soft(nextAddress(faults)).link(kind));
  }

  /**
   * Opens two devices.
   *
   * @param seed of keys, numbers and PSNs
   * @param faults what happens to packets, with a seed of its own
   * @param loopback whether they exchange whole messages without packets
   */
  public static Pair open(long seed, FaultSpec faults, boolean loopback) {
    return open(seed, faults, loopback, WIDE);
  }

  /**
   * Opens two devices whose queue pairs share a narrow way to each other.
   *
   * @param mostInFlight packets that may be in flight to one device, or {@link #WIDE}
   */
  public static Pair open(long seed, FaultSpec faults, boolean loopback, int mostInFlight) {
    return new Pair(seed, faults, loopback, mostInFlight, Packing.SINGLE, link -> link);
  }

  /** The same with packets, which are packed in some way. */
  public static Pair packed(long seed, FaultSpec faults, int mostInFlight, Packing packing) {
    return new Pair(seed, faults, false, mostInFlight, packing, link -> link);
  }

  /** Two devices that exchange packets, and somebody at the link of each, the left one first. */
  public static Pair tapped(
      long seed, FaultSpec faults, int mostInFlight, UnaryOperator<Link> tap) {
    return new Pair(seed, faults, false, mostInFlight, Packing.SINGLE, tap);
  }

  /** The same with packets, each of which may stand for several, and no faults. */
  public static Pair tappedWithLongPackets(long seed, UnaryOperator<Link> tap) {
    return new Pair(seed, FaultSpec.NONE, false, WIDE, Packing.LONG, tap);
  }

  /** A context of one device. */
  public Context left() {
    return left;
  }

  /** A context of the other device. */
  public Context right() {
    return right;
  }

  /** Virtual time in nanoseconds. */
  public long now() {
    return now;
  }

  /** Lets both devices do what is due now; false if nothing was due. */
  public boolean step() {
    boolean first = left.engine().step(now);
    return right.engine().step(now) || first;
  }

  /** Steps until nothing is due. */
  public void driveUntilIdle() {
    for (int round = 0; step(); round++) {
      if (round == MOST_ROUNDS) {
        throw new AssertionError("the devices do not come to rest");
      }
    }
  }

  /** Lets time pass until the next deadline; false if there is none. */
  public boolean advance() {
    long deadline = Math.min(left.engine().nextDeadline(), right.engine().nextDeadline());
    if (deadline == Clock.NEVER) {
      return false;
    }
    now = Math.max(now, deadline);
    return true;
  }

  /** Lets time pass. */
  public void advance(long nanos) {
    now += nanos;
  }

  /** Lets this much time pass, and does everything that becomes due meanwhile. */
  public void drive(long nanos) {
    long end = now + nanos;
    driveUntilIdle();
    while (Math.min(left.engine().nextDeadline(), right.engine().nextDeadline()) <= end) {
      advance();
      driveUntilIdle();
    }
    now = end;
  }

  @Override
  public void close() {
    left.close();
    right.close();
  }

  /**
   * An unused address. Over IPv4 the first packets of a connection may be damaged without a wrong
   * ICRC, one in thousands ({@code IcrcTrust}); so where bits change, the addresses are of IPv6.
   */
  private static String nextAddress(FaultSpec faults) {
    int address = ADDRESSES.getAndIncrement();
    return faults.corrupt() > 0
        ? "fd00::%x:%x".formatted(address >>> 16, address & 0xffff)
        : "%d.%d.%d.%d"
            .formatted(address >>> 24, address >>> 16 & 0xff, address >>> 8 & 0xff, address & 0xff);
  }
}
