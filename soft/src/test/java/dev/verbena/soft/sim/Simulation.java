package dev.verbena.soft.sim;

import dev.verbena.soft.fuzz.Attacker;
import dev.verbena.soft.fuzz.Attacker.Knowledge;
import dev.verbena.verbs.SrqInitAttr;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One seed: two devices, a few exchanges, and a random sequence of posting, receiving, polling,
 * failing and recovering. All results must match the models of the exchanges.
 */
final class Simulation implements AutoCloseable {
  private static final int ACTIONS = 120;

  private final RandomGenerator random;
  private final Scenario scenario;
  private final Stage stage;
  private final @Nullable Attacker attacker;

  Simulation(long seed) {
    this(seed, false);
  }

  /** The same in front of an attacker, who knows neither sequence numbers nor Q_Keys. */
  static Simulation attacked(long seed) {
    return new Simulation(seed, true);
  }

  private Simulation(long seed, boolean attacked) {
    random = new SplittableRandom(seed);
    scenario = attacked ? Scenario.draw(random).ofSinglePackets() : Scenario.draw(random);
    attacker =
        attacked
            ? new Attacker(Knowledge.GUESSES, new SplittableRandom(seed), scenario.mtu().bytes())
            : null;
    stage = new Stage(scenario, random, attacker);
    if (scenario.shares()) {
      Dice dice = new Dice(random, scenario.mtu().bytes());
      stage.left().share(new SharedPool(stage, stage.left(), new SrqInitAttr(), dice));
      stage.right().share(new SharedPool(stage, stage.right(), new SrqInitAttr(), dice));
    }
    for (int i = 0; i < scenario.exchanges(); i++) {
      stage.add(exchange());
    }
  }

  /** Runs the seed; throws an AssertionError if the devices and the model disagree. */
  void run() {
    List<Exchange> exchanges = stage.exchanges();
    for (int action = 0; action < ACTIONS; action++) {
      switch (random.nextInt(32)) {
        case 0, 1, 2 -> stage.advance();
        case 3, 4, 5, 6 -> stage.poll();
        case 7, 8, 9, 10, 11, 12 -> stage.step(random.nextInt(20));
        default -> exchanges.get(random.nextInt(exchanges.size())).act();
      }
    }
    exchanges.forEach(Exchange::finish);
    stage.checkAtRest();
  }

  /** Packets of the attacker. */
  long attacks() {
    return attacker == null ? 0 : attacker.sent();
  }

  private Exchange exchange() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> new UcExchange(scenario, random, stage);
      case 2 -> new UdExchange(scenario, random, stage);
      case 3 -> new XrcExchange(scenario, random, stage);
      case 4 -> new RawExchange(scenario, random, stage);
      default -> new RcExchange(scenario, random, stage);
    };
  }

  @Override
  public void close() {
    stage.close();
  }

  @Override
  public String toString() {
    return scenario.toString();
  }
}
