package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.transport.Samples;
import dev.verbena.verbs.Counter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sends a busy device many malformed packets over UDP: every sample with each byte flipped, and
 * truncated to each length. Closing the device fails if its engine logged a failure.
 */
@Timeout(120)
class StormTest {

  @Test
  @Proves("S12.10")
  void malformedPacketsFromThePeerChangeNoMemoryAndEndNoThread() throws IOException {
    try (StormTarget target = StormTarget.open("&icrc=off", true)) {
      for (byte[] sample : Samples.all()) {
        target.arrives(sample);
        attack(target, target.aimed(sample));
        target.assertUnharmed();
      }
      target.assertCounted(
          Counter.DROPPED_MALFORMED,
          Counter.DROPPED_NO_QP,
          Counter.DROPPED_QP_STATE,
          Counter.DROPPED_PKEY,
          Counter.DROPPED_STALE_RESPONSE,
          Counter.DUPLICATE_REQUESTS,
          Counter.SEQUENCE_NAKS_SENT,
          Counter.INVALID_REQUESTS,
          Counter.ACCESS_ERRORS);
      target.assertServes();
    }
  }

  @Test
  @Proves("S12.10")
  void packetsFromAStrangerAreAllDropped() throws IOException {
    try (StormTarget target = StormTarget.open("&icrc=off", false)) {
      for (byte[] sample : distinctSamples()) {
        byte[] aimed = target.aimed(sample);
        target.arrives(aimed);
        attack(target, aimed);
      }
      target.assertUnharmed();
      target.assertCounted(Counter.DROPPED_MALFORMED, Counter.DROPPED_SOURCE);
      assertThat(target.revivals()).as("times the queue pair was in error").isZero();
      target.assertServes();
    }
  }

  @Test
  @Proves("S12.10")
  void packetsWithAWrongIcrcAreDropped() throws IOException {
    try (StormTarget target = StormTarget.open("", true)) {
      for (byte[] sample : distinctSamples()) {
        byte[] aimed = target.aimed(sample);
        target.arrives(aimed);
        attack(target, aimed);
      }
      target.assertUnharmed();
      long dropped = target.count(Counter.DROPPED_MALFORMED) + target.count(Counter.DROPPED_ICRC);
      // The IP ID is unknown, so one in 2^15 of the wrong ones is taken for right.
      assertThat(dropped).isGreaterThan(target.sent() - target.sent() / 1000);
      target.assertCounted(Counter.DROPPED_ICRC);
      target.assertServes();
    }
  }

  private static void attack(StormTarget target, byte[] sample) throws IOException {
    byte[] flipped = sample.clone();
    for (int i = 0; i < sample.length; i++) {
      flipped[i] ^= (byte) 0xff;
      target.arrives(flipped, i);
      if (i < StormTarget.HEADERS) {
        flipped[i] = (byte) (sample[i] ^ (1 << (i % 8)));
        target.arrives(flipped, i);
      }
      flipped[i] = sample[i];
      target.arrives(Arrays.copyOf(sample, i), i);
    }
    target.arrives(new byte[0]);
  }

  /** One sample of each opcode and length. */
  private static List<byte[]> distinctSamples() throws IOException {
    Set<List<Integer>> seen = new HashSet<>();
    List<byte[]> distinct = new ArrayList<>();
    for (byte[] sample : Samples.all()) {
      if (seen.add(List.of((int) sample[0], sample.length))) {
        distinct.add(sample);
      }
    }
    return distinct;
  }
}
