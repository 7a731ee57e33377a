package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.device.Packing;
import dev.verbena.soft.device.Pair;
import dev.verbena.soft.fuzz.Attacker;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Two devices in virtual time, and the takers of their completions. */
final class Stage implements AutoCloseable {
  private static final int MOST_ROUNDS = 200_000;

  /** How many packets of an attacker come at once. */
  private static final int MOST_AT_ONCE = 16;

  /** Longer than the fault decorator delays a packet, in nanoseconds. */
  private static final long LONGEST_DELAY = 10_000_000;

  private final Pair pair;
  private final @Nullable Attacker attacker;

  /** Whether each packet arrives with the ICRC that the receiver computes. */
  private final boolean keepsIcrcs;

  private final RandomGenerator random;
  private final Side left;
  private final Side right;
  private final List<Exchange> exchanges = new ArrayList<>();
  private final WorkCompletion wc = new WorkCompletion();

  /**
   * Opens the devices.
   *
   * @param attacker one who sends packets that may change nothing, if there is one; then there are
   *     only packets, each for itself
   */
  Stage(Scenario scenario, RandomGenerator random, @Nullable Attacker attacker) {
    this.attacker = attacker;
    this.random = random;
    keepsIcrcs =
        attacker == null
            && scenario.faults().corrupt() == 0
            && scenario.packing() != Packing.RUNS_CUT_ON_THE_WAY;
    long seed = random.nextLong();
    if (attacker != null) {
      pair = Pair.tapped(seed, scenario.faults(), scenario.window(), attacker::tap);
    } else {
      pair =
          scenario.loopback()
              ? Pair.open(seed, scenario.faults(), true, scenario.window())
              : Pair.packed(seed, scenario.faults(), scenario.window(), scenario.packing());
    }
    left = new Side(pair.left(), random);
    right = new Side(pair.right(), random);
  }

  Side left() {
    return left;
  }

  Side right() {
    return right;
  }

  void add(Exchange exchange) {
    exchanges.add(exchange);
  }

  List<Exchange> exchanges() {
    return exchanges;
  }

  /** Lets both devices do something, some times. */
  void step(int times) {
    for (int i = 0; i < times; i++) {
      attack();
      pair.step();
    }
  }

  private void attack() {
    if (attacker != null) {
      attacker.act(random.nextInt(MOST_AT_ONCE));
    }
  }

  /** New connections are made, which packets of old ones must not reach. */
  void forgetPackets() {
    if (attacker != null) {
      attacker.forget();
    }
  }

  /** Lets time pass until something is due. */
  void advance() {
    pair.advance();
  }

  /** Lets every packet that is under way arrive. */
  void drainNetwork() {
    pair.drive(LONGEST_DELAY);
    poll();
  }

  /** Lets both devices do something until a condition holds; no time passes. */
  void stepUntil(BooleanSupplier done) {
    for (int round = 0; !done.getAsBoolean(); round++) {
      assertThat(round).as("steps without coming to an end").isLessThan(MOST_ROUNDS);
      step(1);
    }
  }

  /**
   * Continues until a condition holds.
   *
   * @param refill posts the receives that are needed to continue
   */
  void drive(BooleanSupplier done, Runnable refill) {
    poll();
    for (int round = 0; !done.getAsBoolean(); round++) {
      assertThat(round).as("rounds without coming to an end").isLessThan(MOST_ROUNDS);
      refill.run();
      attack();
      if (!pair.step()) {
        pair.advance();
      }
      poll();
    }
  }

  /** Takes all completions, and then all events. */
  void poll() {
    poll(left);
    poll(right);
    left.takeEvents();
    right.takeEvents();
  }

  /** Checks, with nothing under way, what the exchanges share. */
  void checkAtRest() {
    poll();
    checkAtRest(left);
    checkAtRest(right);
  }

  private void checkAtRest(Side side) {
    side.checkAtRest();
    if (keepsIcrcs) {
      long dropped = side.context().counters().get(Counter.DROPPED_ICRC);
      assertThat(dropped).as("packets with a wrong ICRC").isZero();
    }
  }

  private void poll(Side side) {
    while (side.cq().poll(wc)) {
      boolean taken = false;
      for (Exchange exchange : exchanges) {
        taken |= exchange.take(side, wc);
      }
      assertThat(taken).as("%s belongs to nobody", wc).isTrue();
    }
  }

  @Override
  public void close() {
    pair.close();
  }
}
