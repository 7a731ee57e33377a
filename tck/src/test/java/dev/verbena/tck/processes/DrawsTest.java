package dev.verbena.tck.processes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Randomness;
import dev.verbena.tck.kit.ChildProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/**
 * The numbers, keys and first PSNs of a device cannot be predicted from earlier ones: of the same
 * device, of one opened before, or of another process. There is no seed to repeat this; {@link
 * Randomness} says how rarely chance makes it fail. Occupied slots and reserved numbers make the
 * values slightly uneven, but for fewer than one in a thousand, and the bounds are fifty times as
 * wide.
 */
final class DrawsTest {
  private static final int CHILDREN = 3;

  private static int[] of(List<Draws> draws, ToIntFunction<Draws> value) {
    return draws.stream().mapToInt(value).toArray();
  }

  private static void assertRandom(String name, int[] values, int bits) {
    new Randomness(name, values, bits).followsNoRule(1, 2, Draws.EACH, Draws.EACH * Draws.OPENS);
  }

  @Test
  void nothingThatADeviceDrawsCanBeToldFromWhatWasDrawnBefore() throws Exception {
    List<ChildProcess> children = new ArrayList<>();
    try {
      for (int i = 0; i < CHILDREN; i++) {
        children.add(ChildProcess.startMain(Draws.class));
      }
      List<Draws> all = new ArrayList<>(Draws.collect());
      for (ChildProcess child : children) {
        assertThat(child.exitCode()).as(child.output()).isZero();
        all.addAll(Draws.parse(child.output()));
      }
      assertThat(all).hasSize((1 + CHILDREN) * Draws.OPENS * Draws.EACH);
      assertRandom("queue pair numbers", of(all, Draws::qpn), 24);
      assertRandom("first PSNs", of(all, Draws::psn), 24);
      assertRandom("lkeys", of(all, Draws::lkey), 32);
      assertRandom("rkeys", of(all, Draws::rkey), 32);
      // One of them reveals nothing about the other; the two keys of a region share a slot.
      new Randomness("PSN against number", of(all, d -> d.psn() ^ d.qpn()), 24).bitsAreFair();
      new Randomness("rkey against lkey", of(all, d -> d.rkey() ^ d.lkey()), 13).bitsAreFair();
    } finally {
      for (ChildProcess child : children) {
        child.close();
      }
    }
  }
}
