package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.QpState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Packets that no honest peer sends: nothing throws, and no memory changes without permission. */
@Tag("fuzz")
class HostileInputTest {
  /** A pair with requests under way, so that answers have an effect. */
  private static final class Target {
    final Rig rig;
    final Block secretA;
    final Block secretB;
    final byte[] before;

    Target(int psn) {
      rig = Rig.packets(p -> {}, psn, psn, 4 * Endpoint.DEPTH);
      secretA = rig.a.memory(4096).scribble(1);
      secretB = rig.b.memory(4096).scribble(1);
      before = secretA.bytes();
      rig.b.postRecv(1, rig.b.memory(4096));
      Block local = rig.a.memory(4096);
      Block remote = rig.b.memory(4096);
      rig.a.postWrite(1, local, 600, remote);
      rig.a.postRead(2, local, 600, remote);
      rig.a.postFetchAdd(3, local, remote, 1);
      rig.pump();
      rig.a.out.flight.clear();
    }

    /** Delivers it to B as a request and to A as a response, whatever it is. */
    void arrives(byte[] datagram) {
      Packet packet = Packet.of(datagram);
      rig.b.arrive(packet, rig.a.gid);
      rig.a.arrive(packet, rig.b.gid);
      rig.pump();
    }

    void assertUnharmed() {
      assertThat(secretA.bytes()).isEqualTo(before);
      assertThat(secretB.bytes()).isEqualTo(before);
    }
  }

  @Test
  @Proves("S12.10")
  void samplesWithAnyByteFlippedOrCutShortDoNoHarm() throws IOException {
    for (byte[] sample : Samples.all()) {
      int psn = sample.length < 12 ? 0 : ByteBuffer.wrap(sample).getInt(8) & 0xffffff;
      Target target = new Target(psn);
      for (int i = 0; i < sample.length; i++) {
        byte[] flipped = sample.clone();
        flipped[i] ^= (byte) 0xff;
        target = attack(target, psn, flipped);
        flipped[i] = (byte) (sample[i] ^ (1 << (i % 8)));
        target = attack(target, psn, flipped);
        target = attack(target, psn, Arrays.copyOf(sample, i));
      }
      target.assertUnharmed();
    }
  }

  private static Target attack(Target target, int psn, byte[] datagram) {
    target.arrives(datagram);
    boolean alive =
        target.rig.a.status.state == QpState.RTS && target.rig.b.status.state == QpState.RTS;
    if (alive) {
      return target;
    }
    target.assertUnharmed();
    return new Target(psn);
  }

  @Test
  @Proves("S12.10")
  void ownPacketsWithRandomChangesDoNoHarm() {
    Random random = new Random(7);
    Rig honest = Rig.packets(p -> {}, 0x100, 0x100, 4 * Endpoint.DEPTH);
    new EveryOperation(honest).post(0);
    honest.settle();
    List<Packet> seeds = new ArrayList<>(honest.a.out.log);
    seeds.addAll(honest.b.out.log);
    Target target = new Target(0x100);
    for (int i = 0; i < 4_000; i++) {
      byte[] bytes = seeds.get(random.nextInt(seeds.size())).bytes();
      for (int change = random.nextInt(4); change >= 0; change--) {
        int limit = random.nextBoolean() ? Math.min(bytes.length, 28) : bytes.length;
        bytes[random.nextInt(limit)] = (byte) random.nextInt();
      }
      if (random.nextInt(5) == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length * 2));
      }
      target = attack(target, 0x100, bytes);
    }
    target.assertUnharmed();
  }
}
