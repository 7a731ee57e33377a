package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.device.Pair;
import dev.verbena.soft.transport.Sabotage;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * One seed: two devices, a few connections, and a random sequence of posting, receiving, polling,
 * failing and recovering. Whatever happens must fit the model of {@link Lane}.
 */
final class Simulation implements AutoCloseable {
  private static final int ACTIONS = 120;
  private static final int MOST_ROUNDS = 200_000;

  /** Longer than the fault decorator holds a packet back, in nanoseconds. */
  private static final long LONGEST_DELAY = 10_000_000;

  private final RandomGenerator random;
  private final Scenario scenario;
  private final Pair pair;
  private final Side left;
  private final Side right;
  private final List<Connection> connections = new ArrayList<>();
  private final WorkCompletion wc = new WorkCompletion();

  Simulation(long seed, Sabotage sabotage) {
    random = new SplittableRandom(seed);
    scenario = Scenario.draw(random);
    pair = Pair.open(random.nextLong(), scenario.faults(), scenario.loopback(), sabotage);
    left = new Side(pair.left(), random);
    right = new Side(pair.right(), random);
    for (int i = 0; i < scenario.connections(); i++) {
      connections.add(new Connection(scenario, random, left, right));
    }
  }

  /** Runs the seed; throws an AssertionError where the devices and the model disagree. */
  void run() {
    for (int action = 0; action < ACTIONS; action++) {
      act(connections.get(random.nextInt(connections.size())));
    }
    for (Connection connection : connections) {
      finish(connection);
    }
  }

  @Override
  public void close() {
    pair.close();
  }

  @Override
  public String toString() {
    return scenario.toString();
  }

  private void act(Connection connection) {
    Lane lane = connection.lanes().get(random.nextInt(2));
    switch (random.nextInt(32)) {
      case 0 -> postFlawed(connection, lane);
      case 1 -> rarely(() -> breakDown(connection));
      case 2 -> rarely(() -> reset(connection));
      case 3 -> rarely(() -> vanish(connection, lane));
      case 4 -> rarely(() -> deregister(connection, lane));
      case 5, 6, 7, 8, 9, 10, 11 -> connection.authorOf(lane).post(lane, 1 + random.nextInt(4));
      case 12, 13, 14, 15, 16, 17, 18 -> postReceives(lane, 1 + random.nextInt(4));
      case 19, 20, 21 -> pair.advance();
      case 22, 23, 24, 25 -> poll();
      default -> {
        for (int i = random.nextInt(20); i > 0; i--) {
          pair.step();
        }
      }
    }
    if (connection.hasFailed()) {
      recover(connection);
    }
  }

  private void rarely(Runnable action) {
    if (random.nextInt(4) == 0) {
      action.run();
    }
  }

  private void postReceives(Lane lane, int count) {
    for (int i = 0; i < count && lane.canPostReceive(); i++) {
      lane.postReceive(Lane.SLOT);
    }
  }

  /** Lets everything that was posted come to its end, and checks it. */
  private void finish(Connection connection) {
    for (Lane lane : connection.lanes()) {
      if (!connection.hasFailed() && !lane.isIdle()) {
        drive(connection, () -> lane.hasRoom(1));
      }
      if (!connection.hasFailed()) {
        connection.authorOf(lane).postClosing(lane);
        drive(connection, lane::isIdle);
      }
    }
    if (connection.hasFailed()) {
      recover(connection);
      return;
    }
    drive(connection, () -> connection.lanes().stream().allMatch(Lane::isIdle));
    if (connection.hasFailed()) {
      recover(connection);
    } else {
      connection.lanes().forEach(Lane::checkAtRest);
    }
  }

  private void postFlawed(Connection connection, Lane lane) {
    if (!lane.hasRoom(1)) {
      return;
    }
    // The responder that refuses it takes the other direction down with it.
    connection.other(lane).disturb();
    if (scenario.faults().isActive()) {
      // Its NAK may be lost, and a queue pair in error answers nothing that is sent again.
      lane.disturb();
    }
    Author.Flaw[] flaws = Author.Flaw.values();
    connection.authorOf(lane).postFlawed(lane, flaws[random.nextInt(flaws.length)]);
    drive(connection, connection::hasFailed);
    assertThat(connection.hasFailed()).as("a flawed request failed").isTrue();
  }

  /** The registration of a target ends while requests for it may be under way. */
  private void deregister(Connection connection, Lane lane) {
    if (!lane.hasRoom(1)) {
      return;
    }
    int rkey = lane.target().rkey();
    long addr = lane.target().addr();
    connection.other(lane).disturb();
    Shadow last = lane.deregister();
    connection.authorOf(lane).postToNothing(lane, rkey, addr);
    drive(connection, connection::hasFailed);
    lane.checkUntouchedSince(last);
    recover(connection);
  }

  private void breakDown(Connection connection) {
    poll();
    connection.breakDown();
    recover(connection);
  }

  private void reset(Connection connection) {
    poll();
    if (!connection.hasFailed()) {
      connection.reset();
      reconnect(connection, true);
    }
  }

  /** One side is reset: the other one must notice if it has anything to send. */
  private void vanish(Connection connection, Lane gone) {
    poll();
    if (connection.hasFailed()) {
      return;
    }
    connection.vanish(gone);
    // Completions from before the reset survive it.
    poll();
    connection.forget(gone);
    Lane other = connection.other(gone);
    while (!other.hasFailed()) {
      // What is under way may still be acknowledged by an answer that was sent before.
      if (other.hasRoom(1)) {
        connection.authorOf(other).postClosing(other);
        drive(connection, other::isIdle);
      } else {
        drive(connection, () -> other.hasRoom(1));
      }
    }
    recover(connection);
  }

  /**
   * The connection has met an error: flushes it, checks what can be known, and connects it anew.
   */
  private void recover(Connection connection) {
    connection.breakDown();
    for (int round = 0; round < 20; round++) {
      pair.step();
    }
    poll();
    connection.lanes().forEach(Lane::checkAfterFlush);
    connection.reset();
    reconnect(connection, false);
  }

  private void reconnect(Connection connection, boolean wasReset) {
    // Packets of the old connection that are still under way must not meet the new one.
    pair.drive(LONGEST_DELAY);
    poll();
    if (wasReset) {
      connection.lanes().forEach(Lane::checkAfterReset);
    }
    connection.connect();
  }

  /**
   * Goes on, with receives posted as they are needed, until a condition holds or the connection
   * fails.
   */
  private void drive(Connection connection, BooleanSupplier done) {
    poll();
    for (int round = 0; !done.getAsBoolean() && !connection.hasFailed(); round++) {
      assertThat(round).as("rounds without coming to an end").isLessThan(MOST_ROUNDS);
      for (Lane lane : connection.lanes()) {
        while (lane.spareReceives() < 0 && lane.canPostReceive()) {
          lane.postReceive(Lane.SLOT);
        }
      }
      if (!pair.step()) {
        pair.advance();
      }
      poll();
    }
  }

  private void poll() {
    poll(left);
    poll(right);
  }

  private void poll(Side side) {
    while (side.cq().poll(wc)) {
      boolean taken = false;
      for (Connection connection : connections) {
        taken |= connection.take(side, wc);
      }
      assertThat(taken).as("%s belongs to nobody", wc).isTrue();
    }
  }
}
