package dev.verbena.soft.fuzz;

import dev.verbena.soft.device.Pair;
import dev.verbena.soft.fuzz.Attacker.Knowledge;
import dev.verbena.soft.link.Gids;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpType;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Two devices between which connections of each service are in use, and an attacker who knows all
 * their numbers and keys, and may so end them, or make them send what nobody asked for. But:
 *
 * <ul>
 *   <li>No byte changes to which no peer has a right, and no secret leaves a device.
 *   <li>Each request completes once, in time, and in order; what has failed can be connected again,
 *       and then works.
 *   <li>A packet causes no more packets than what it may read, and no exception: closing a device
 *       throws if its engine met one.
 *   <li>Whatever a packet says, a step of the devices takes little memory and time ({@link Meter}).
 * </ul>
 */
public final class Insider implements AutoCloseable {
  /** More than a READ of a whole zone has, with each of its packets repeated. */
  private static final int MOST_ANSWERS = 64;

  private static final int MOST_ROUNDS = 20_000;
  private static final int MOST_AT_ONCE = 12;
  private static final int ROUNDS_OFFERED = 128;

  private final RandomGenerator random;
  private final Attacker attacker;
  private final Pair pair;
  private final Station left;
  private final Station right;
  private final List<Couple> couples;
  private final Meter meter;
  private boolean leaked;
  private long reconnections;

  /**
   * Opens the devices.
   *
   * @param seed determines all that follows
   * @param meter judges the steps
   */
  public Insider(long seed, Meter meter) {
    this.meter = meter;
    random = new SplittableRandom(seed);
    Mtu mtu = Mtu.of(1 + random.nextInt(5));
    attacker = new Attacker(Knowledge.KNOWS, random, mtu.bytes());
    attacker.witness(packet -> leaked |= Estate.isLeak(packet));
    pair =
        random.nextInt(4) == 0
            ? Pair.tappedWithLongPackets(random.nextLong(), attacker::tap)
            : Pair.tapped(random.nextLong(), FaultSpec.NONE, Pair.WIDE, attacker::tap);
    Mutator mutator = attacker.mutator();
    left = new Station(pair.left(), mutator, random);
    right = new Station(pair.right(), mutator, random);
    couples =
        List.of(QpType.RC, QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND).stream()
            .map(type -> new Couple(type, left, right, mtu, mutator, random))
            .toList();
    if (random.nextBoolean()) {
      Gid group = Gid.parse("::ffff:239.1.2.3");
      couples.forEach(couple -> couple.join(group));
      attacker.joined(Gids.address(group));
    }
  }

  /**
   * Lets him send some packets.
   *
   * @return how many he has sent in all
   */
  public long run(long packets) {
    attacker.awake(true);
    while (attacker.sent() < packets) {
      couples.get(random.nextInt(couples.size())).post();
      attacker.act(random.nextInt(MOST_AT_ONCE));
      step(1 + random.nextInt(3));
      if (random.nextInt(16) == 0) {
        pair.advance();
      }
      change(left.estate());
      change(right.estate());
      for (Couple couple : couples) {
        if (couple.hasFailed()) {
          reconnect(couple);
        }
        couple.postReceives();
      }
    }
    attacker.awake(false);
    Stream.of(left.estate(), right.estate())
        .filter(estate -> !estate.isOffered())
        .forEach(Estate::offer);
    settle();
    checkAnswers();
    return attacker.sent();
  }

  /** Takes away memory that is in use, now and then, and soon offers it again. */
  private void change(Estate estate) {
    if (!estate.isOffered()) {
      if (random.nextInt(4) == 0) {
        estate.offer();
      }
    } else if (random.nextInt(ROUNDS_OFFERED) == 0) {
      estate.withdraw();
    }
  }

  /** How often connections were ended. */
  public long reconnections() {
    return reconnections;
  }

  private void step(int times) {
    for (int i = 0; i < times; i++) {
      work();
    }
    left.poll();
    right.poll();
    left.takeEvents();
    right.takeEvents();
    left.estate().check();
    right.estate().check();
    if (leaked) {
      throw new AssertionError("a packet has carried away what no peer may read");
    }
  }

  /** Lets both devices do what is due now; false if nothing was due. */
  private boolean work() {
    return meter.measure(pair::step);
  }

  private void reconnect(Couple couple) {
    reconnections++;
    couple.breakDown();
    // The receive of a message under way completes, too, even a shared one.
    step(2);
    drive("flush " + couple, couple::isFlushed);
    couple.reconnect();
  }

  /** Lets everything end, and checks that a request of each kind of connection succeeds again. */
  private void settle() {
    drive("come to rest", () -> couples.stream().allMatch(Couple::isIdle));
    for (Couple couple : couples) {
      // Packets of before must not reach the new connection.
      drive("become idle", () -> !work());
      reconnect(couple);
      drive("bind windows", couple::isIdle);
      for (int i = 0; i < 10; i++) {
        couple.post();
        couple.postReceives();
        drive("answer", couple::isIdle);
        if (couple.hasFailed()) {
          throw new AssertionError("nobody disturbs it, but it fails: " + couple);
        }
      }
    }
  }

  private void drive(String what, BooleanSupplier done) {
    for (int round = 0; !done.getAsBoolean(); round++) {
      if (round == MOST_ROUNDS) {
        throw new AssertionError("they do not " + what);
      }
      couples.forEach(Couple::postReceives);
      if (!work()) {
        pair.advance();
      }
      step(1);
    }
  }

  /** Checks that the devices have not sent much more than they got. */
  private void checkAnswers() {
    if (attacker.heard() > MOST_ANSWERS * (attacker.sent() + 1000)) {
      throw new AssertionError(
          attacker.sent() + " packets have caused " + attacker.heard() + " others");
    }
  }

  @Override
  public void close() {
    pair.close();
  }

  @Override
  public String toString() {
    return attacker.sent() + " packets, the last one " + attacker.last();
  }
}
