package dev.verbena.soft.sim;

import dev.verbena.soft.device.Packing;
import dev.verbena.soft.device.Pair;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Mtu;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The surroundings that a seed chooses: path MTU, queue sizes, start PSNs, faults.
 *
 * @param mtu path MTU
 * @param exchanges groups of queue pairs that exchange messages
 * @param depth send and receive queue size
 * @param rdAtomic READs and atomics outstanding
 * @param rnrRetry 7 for no limit, less where retries may run out
 * @param nearWrap whether PSNs start close to 0xFFFFFF
 * @param loopback whether the devices exchange whole messages, without packets or faults
 * @param shares whether there are shared receive queues
 * @param faults what happens to packets
 * @param window packets in flight to one device, shared by its queue pairs; 0 for many
 * @param timeout timeout code of the queue pairs
 * @param packing whether several packets are sent as one
 */
record Scenario(
    Mtu mtu,
    int exchanges,
    int depth,
    int rdAtomic,
    int rnrRetry,
    boolean nearWrap,
    boolean loopback,
    boolean shares,
    FaultSpec faults,
    int window,
    int timeout,
    Packing packing) {

  /** The shortest timeout that the delays of the fault decorator allow. */
  static final int SHORT_TIMEOUT = 9;

  static Scenario draw(RandomGenerator random) {
    boolean faulty = random.nextInt(4) != 0;
    boolean loopback = !faulty && random.nextInt(8) < 3;
    Packing packing = loopback ? Packing.SINGLE : packing(random);
    return new Scenario(
        Mtu.of(1 + random.nextInt(5)),
        1 + random.nextInt(3),
        1 + random.nextInt(24),
        1 + random.nextInt(4),
        random.nextInt(5) == 0 ? 1 : 7,
        random.nextBoolean(),
        loopback,
        random.nextBoolean(),
        faulty ? faults(random, packing.mayDamage() && random.nextBoolean()) : FaultSpec.NONE,
        random.nextInt(3) == 0 ? 1 + random.nextInt(8) : Pair.WIDE,
        SHORT_TIMEOUT,
        packing);
  }

  private static Packing packing(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> Packing.LONG;
      case 1 -> Packing.RUNS;
      case 2 -> Packing.RUNS_CUT_ON_THE_WAY;
      default -> Packing.SINGLE;
    };
  }

  /**
   * The same with packets, each of which stands for itself. None is damaged, because of very many
   * one would be taken for right ({@link dev.verbena.wire.IcrcCheck}).
   */
  Scenario ofSinglePackets() {
    return new Scenario(
        mtu,
        exchanges,
        depth,
        rdAtomic,
        rnrRetry,
        nearWrap,
        false,
        shares,
        faults.withCorrupt(0),
        window,
        timeout,
        Packing.SINGLE);
  }

  /** Where none is damaged, the addresses are of IPv4, whose IDs the ICRCs of runs cover. */
  private static FaultSpec faults(RandomGenerator random, boolean damages) {
    return new FaultSpec(
        random.nextDouble(0.05),
        List.of(),
        random.nextDouble(0.1),
        random.nextDouble(0.1),
        random.nextDouble(0.05),
        Duration.ofNanos(1000L * random.nextInt(1, 4000)),
        damages ? random.nextDouble(0.02) : 0,
        random.nextLong());
  }
}
