package dev.verbena.tck.torture;

import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lanes from one device to another, of this process or of a {@link TargetServer}. One thread. */
final class Session implements AutoCloseable {
  /** How long what is under way may take to its end, at least. */
  private static final long LONGEST_END = 60_000_000_000L;

  private final Options options;
  private final Context left;
  private final @Nullable Context right;
  private final @Nullable CaptureTail capture;
  private final List<Context> opened = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Attacker> attackers = new ArrayList<>();
  private final long begin;
  private long lookedAt;
  private long longestPause;

  private Session(Options options) {
    this.options = options;
    capture = options.attacks().isEmpty() ? null : new CaptureTail();
    try {
      left = open(capture == null ? options.left() : options.left().capture(capture.path()));
      right = options.peer() == null ? open(options.right()) : null;
      connect();
      prepareAttacks();
      begin = System.nanoTime();
      lookedAt = begin;
    } catch (RuntimeException | Error failure) {
      close();
      throw failure;
    }
  }

  private Context open(DeviceSpec device) {
    Context context = Devices.open(device);
    opened.add(context);
    return context;
  }

  private void prepareAttacks() {
    if (capture != null && right != null) {
      attackers.add(attacker(right, left, false, capture.path()));
      attackers.add(attacker(left, right, true, capture.path()));
    }
  }

  private Attacker attacker(Context device, Context peer, boolean atLeft, Path overheard) {
    long seed = 2 * options.traffic().seed() + (atLeft ? 1 : 0);
    return new Attacker(
        device, peer, atLeft, lanes, options.attacks(), seed, overheard, options.stranger());
  }

  /** Opens devices and makes the lanes, which connect as they are driven. */
  static Session open(Options options) {
    return new Session(options);
  }

  private void connect() {
    ProtectionDomain leftPd = left.allocPd();
    ProtectionDomain rightPd = right == null ? null : right.allocPd();
    InetSocketAddress server = options.peer();
    for (int i = 0; i < options.pairs(); i++) {
      List<Service> services = options.services();
      Traffic traffic = options.traffic().with(services.get(i % services.size()));
      int lane = options.firstLane() + i;
      Peer peer =
          rightPd != null
              ? Target.of(traffic, lane, rightPd)
              : new RemotePeer(server, traffic, lane);
      lanes.add(new Lane(traffic, lane, leftPd, peer));
    }
  }

  /**
   * Does what is to be done now.
   *
   * @param more whether to begin more batches
   */
  void act(boolean more) {
    boolean connecting = false;
    for (Lane lane : lanes) {
      connecting |= lane.isConnecting();
      lane.act(more);
      connecting |= lane.isConnecting();
    }
    attackers.forEach(Attacker::act);
    if (capture != null) {
      capture.cut();
    }
    long now = System.nanoTime();
    if (!connecting) {
      longestPause = Math.max(longestPause, now - lookedAt);
    }
    lookedAt = now;
  }

  /** Keeps the lanes busy until a condition holds; fails if it does not in the options' time. */
  void driveUntil(String what, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      act(true);
      if (System.nanoTime() - start > options.nanos()) {
        throw new AssertionError("waited in vain for " + what + "\n" + result().text());
      }
    }
  }

  /** Keeps the lanes busy until this number of further operations is done. */
  void drive(long operations) {
    long enough = done() + operations;
    driveUntil(operations + " operations", () -> done() >= enough);
  }

  /** Completes everything under way, and returns the result. */
  Torture.Result finish() {
    long start = System.nanoTime();
    long patience = Math.max(options.nanos(), LONGEST_END);
    while (!isIdle()) {
      act(false);
      if (System.nanoTime() - start > patience) {
        throw new AssertionError("the lanes come to no end\n" + result().text());
      }
    }
    return result();
  }

  private Torture.Result result() {
    List<Long> rightCounters =
        right != null
            ? Torture.read(right)
            : lanes.stream()
                .map(Lane::peerCounters)
                .filter(counters -> !counters.isEmpty())
                .max(Comparator.comparing(List::getFirst))
                .orElse(Torture.NO_COUNTERS);
    return new Torture.Result(
        done(),
        deeds(),
        lost(),
        disturbed(),
        arrived(),
        announced(),
        System.nanoTime() - begin,
        longestGap(),
        longestPause,
        attacks(),
        Torture.read(left),
        rightCounters);
  }

  Options options() {
    return options;
  }

  Context left() {
    return left;
  }

  /** Those that post. */
  List<QueuePair> queuePairs() {
    return lanes.stream().map(Lane::qp).toList();
  }

  /** A counter of both devices of this process. */
  long count(Counter counter) {
    return opened.stream().mapToLong(context -> context.counters().get(counter)).sum();
  }

  /** Whether nothing is under way, and everything has been checked. */
  boolean isIdle() {
    return lanes.stream().allMatch(Lane::isIdle);
  }

  /** Whether everything posted has completed, and it is the peers' turn. */
  boolean awaitsPeers() {
    return lanes.stream().allMatch(Lane::awaitsPeer);
  }

  /** The peers of those lanes that are or were connected. */
  List<ConnectionData> targets() {
    return lanes.stream().map(Lane::target).filter(Objects::nonNull).toList();
  }

  /** Operations that have succeeded. */
  long done() {
    return lanes.stream().mapToLong(Lane::done).sum();
  }

  /** Operations that have succeeded, by service and kind. */
  Deeds deeds() {
    Deeds deeds = new Deeds();
    lanes.forEach(lane -> deeds.add(lane.deeds()));
    return deeds;
  }

  /** {@link Lane#progress} of each lane. */
  long[] progress() {
    return lanes.stream().mapToLong(Lane::progress).toArray();
  }

  /** Connections lost while the peer was there; they were made again. */
  long lost() {
    return lanes.stream().mapToLong(Lane::lost).sum();
  }

  /** Connections that ended by mischief. */
  long disturbed() {
    return lanes.stream().mapToLong(Lane::disturbed).sum();
  }

  /** Messages of unreliable services that have arrived. */
  long arrived() {
    return lanes.stream().mapToLong(Lane::arrived).sum();
  }

  /** So many of those would have arrived by then if none had been lost. */
  long announced() {
    return lanes.stream().mapToLong(Lane::announced).sum();
  }

  /** Longest time in which a lane with work had no success, in nanoseconds. */
  long longestGap() {
    return lanes.stream().mapToLong(Lane::longestGap).max().orElse(0);
  }

  /** Whether the peer of every lane is gone, and all that was posted has completed. */
  boolean isOrphaned() {
    return lanes.stream().allMatch(Lane::isOrphaned);
  }

  /** Whether the peer of a lane is gone. */
  boolean hasOrphans() {
    return lanes.stream().anyMatch(Lane::isOrphaned);
  }

  private Map<Attack, Long> attacks() {
    return options.attacks().stream().collect(Collectors.toMap(attack -> attack, this::attacks));
  }

  /** Packets of a kind from attackers, to both devices together. */
  long attacks(Attack attack) {
    return attackers.stream().mapToLong(attacker -> attacker.sent(attack)).sum();
  }

  /** Whether the devices have received all that attackers and each other have sent. */
  boolean isAttackOver() {
    return attackers.stream().allMatch(Attacker::isSettled);
  }

  /** Closes the device while the lanes use it, and then what is left of them. */
  void abandon() {
    opened.forEach(Context::close);
    close();
  }

  @Override
  public void close() {
    attackers.forEach(Attacker::close);
    lanes.forEach(Lane::close);
    opened.forEach(Context::close);
    if (capture != null) {
      capture.close();
    }
  }
}
