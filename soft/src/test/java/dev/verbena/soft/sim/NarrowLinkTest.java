package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.device.Packing;
import dev.verbena.soft.device.Pair;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Several queue pairs that read long messages over a path with room for a few packets, while
 * packets get lost. The share of each, and with it the slices of its READs, constantly grows and
 * shrinks.
 */
class NarrowLinkTest {
  private static final int PAIRS = 6;
  private static final int READS = 100;
  private static final int MOST_PACKETS = 12;
  private static final int MOST_ROUNDS = 1_000_000;

  static List<FaultSpec> networks() {
    List<FaultSpec> all = new ArrayList<>();
    for (long seed = 1; seed <= 6; seed++) {
      all.add(new FaultSpec(0.07, List.of(), 0, 0, 0, Duration.ZERO, 0, seed));
      all.add(new FaultSpec(0.04, List.of(), 0.02, 0.05, 0.02, Duration.ofMillis(2), 0.01, seed));
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("networks")
  @Proves("S12.5.9")
  void readsArriveWhateverTheirShareOfTheWayIs(FaultSpec faults) {
    SplittableRandom random = new SplittableRandom(faults.seed());
    Scenario scenario =
        new Scenario(
            Mtu.MTU_256,
            1,
            16,
            4,
            7,
            true,
            false,
            false,
            faults,
            10 + (int) faults.seed(),
            Scenario.SHORT_TIMEOUT,
            Packing.SINGLE);
    try (Pair pair = Pair.open(faults.seed(), faults, false, scenario.window())) {
      Side left = new Side(pair.left(), random);
      Side right = new Side(pair.right(), random);
      List<Reader> readers = new ArrayList<>();
      for (int i = 0; i < PAIRS; i++) {
        readers.add(new Reader(left, right, scenario, random));
      }
      for (int round = 0; !readers.stream().allMatch(Reader::isDone); round++) {
        assertThat(round).as("rounds without coming to an end").isLessThan(MOST_ROUNDS);
        readers.forEach(Reader::act);
        if (!pair.step()) {
          pair.advance();
        }
      }
    }
  }

  /** A queue pair that has some READs outstanding at any time. */
  private static final class Reader {
    private static final int DEPTH = 3;
    private static final long PLACE = MOST_PACKETS * 256L;

    private final Side to;
    private final SplittableRandom random;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion landing;
    private final int[] offsets = new int[DEPTH];
    private final int[] lengths = new int[DEPTH];
    private final WorkCompletion wc = new WorkCompletion();
    private int posted;
    private int completed;

    Reader(Side from, Side to, Scenario scenario, SplittableRandom random) {
      this.to = to;
      this.random = random;
      cq = from.context().createCq(16);
      landing = from.newLanding((int) (DEPTH * PLACE));
      qp = create(from.pd(), cq, scenario);
      QueuePair peer = create(to.pd(), to.cq(), scenario);
      new Connection(scenario, random, from, to, qp, peer).connect();
    }

    private static QueuePair create(ProtectionDomain pd, CompletionQueue cq, Scenario scenario) {
      return pd.createQp(QpInitAttr.rc(cq).maxSendWr(scenario.depth()));
    }

    boolean isDone() {
      return completed == READS;
    }

    void act() {
      while (cq.poll(wc)) {
        check();
      }
      // In bursts, so that others have the whole path for a time.
      if (posted == completed && posted < READS && random.nextInt(40) == 0) {
        for (int i = random.nextInt(DEPTH); i >= 0 && posted < READS; i--) {
          post();
        }
      }
    }

    private void post() {
      int slot = posted % DEPTH;
      lengths[slot] = random.nextInt((int) PLACE + 1);
      offsets[slot] = random.nextInt(Side.CONSTANT - lengths[slot] + 1);
      Remote source = to.constantAt(offsets[slot]);
      qp.postSend(
          new SendWr()
              .opcode(WrOpcode.RDMA_READ)
              .wrId(posted)
              .sendFlags(SendFlags.SIGNALED)
              .rkey(source.rkey())
              .remoteAddr(source.addr())
              .sgList(new Sge(landing.addr() + slot * PLACE, lengths[slot], landing.lkey())));
      posted++;
    }

    private void check() {
      assertThat(wc.status()).as("READ %s", wc).isEqualTo(WcStatus.SUCCESS);
      assertThat(wc.wrId()).isEqualTo(completed);
      int slot = completed % DEPTH;
      MemorySegment landed = landing.memory().asSlice(slot * PLACE, lengths[slot]);
      MemorySegment sent = MemorySegment.ofArray(to.constantBytes(offsets[slot], lengths[slot]));
      assertThat(landed.mismatch(sent)).as("first wrong byte of %s", wc).isEqualTo(-1);
      completed++;
    }
  }
}
