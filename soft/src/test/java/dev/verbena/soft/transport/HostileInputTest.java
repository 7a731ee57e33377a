package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.QpState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Packets that no honest peer sends: nothing throws, and no memory without the right changes. */
class HostileInputTest {
  private static final Path SAMPLES = Path.of("../wire/src/test/resources/samples");
  private static final int PCAP_HEADER = 24;
  private static final int RECORD_HEADER = 16;
  private static final int ETHERNET = 14;
  private static final int UDP = 8;
  private static final int IPV4_TYPE = 0x0800;
  private static final int IPV6_LENGTH = 40;

  /** Datagrams between Linux kernels. */
  private static List<byte[]> samples() throws IOException {
    List<byte[]> datagrams = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(SAMPLES, "*.pcap")) {
      for (Path file : files) {
        readInto(datagrams, Files.readAllBytes(file));
      }
    }
    assertThat(datagrams).hasSizeGreaterThan(50);
    return datagrams;
  }

  private static void readInto(List<byte[]> datagrams, byte[] pcap) {
    ByteBuffer numbers = ByteBuffer.wrap(pcap).order(ByteOrder.LITTLE_ENDIAN);
    int at = PCAP_HEADER;
    while (at < pcap.length) {
      int length = numbers.getInt(at + 8);
      int frame = at + RECORD_HEADER;
      // Behind both MAC addresses, big-endian unlike the headers of the file.
      boolean ipv4 = Short.reverseBytes(numbers.getShort(frame + 12)) == IPV4_TYPE;
      int ip = frame + ETHERNET;
      int skipped = ETHERNET + UDP + (ipv4 ? (pcap[ip] & 15) * 4 : IPV6_LENGTH);
      if (skipped < length) {
        datagrams.add(Arrays.copyOfRange(pcap, frame + skipped, frame + length));
      }
      at = frame + length;
    }
  }

  /** A pair that has requests under way, so that answers mean something. */
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

    /** B gets it as a request, A as a response; whatever it is. */
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
    for (byte[] sample : samples()) {
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
        target.rig.a.status.state() == QpState.RTS && target.rig.b.status.state() == QpState.RTS;
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
