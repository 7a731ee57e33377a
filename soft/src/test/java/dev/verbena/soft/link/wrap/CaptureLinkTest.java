package dev.verbena.soft.link.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.soft.device.open.Links;
import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import dev.verbena.wire.IpUdpFrame;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureLinkTest {
  private static final long EPOCH = 1_790_000_000_123_456_789L;
  private static final int ENHANCED_PACKET = 6;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @TempDir Path folder;
  private final AtomicLong clock = new AtomicLong(EPOCH);
  private final Inbox inbox = new Inbox();
  private final Gid addressA = Endpoint.unused();
  private final Gid addressB = Endpoint.unused();

  // Never compared as a whole.
  @SuppressWarnings("ArrayRecordComponent")
  private record Captured(long nanos, byte[] packet, String text) {}

  private Link open(Gid address, FaultSpec faults, Path capture) {
    return Links.open(
        Gids.address(address), LinkKind.PACKET, faults, capture, inbox, clock::incrementAndGet);
  }

  /** The enhanced packet blocks of a file; options are kept as raw text. */
  private static List<Captured> read(Path file) throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(Files.readAllBytes(file));
    List<Captured> packets = new ArrayList<>();
    long at = 0;
    while (at < bytes.byteSize()) {
      int length = bytes.get(INT, at + 4);
      assertThat(bytes.get(INT, at + length - 4)).isEqualTo(length);
      if (bytes.get(INT, at) == ENHANCED_PACKET) {
        long nanos =
            (long) bytes.get(INT, at + 12) << 32 | Integer.toUnsignedLong(bytes.get(INT, at + 16));
        int captured = bytes.get(INT, at + 20);
        byte[] packet = bytes.asSlice(at + 28, captured).toArray(ValueLayout.JAVA_BYTE);
        byte[] rest =
            bytes
                .asSlice(at + 28 + captured, length - 32 - captured)
                .toArray(ValueLayout.JAVA_BYTE);
        packets.add(new Captured(nanos, packet, new String(rest, StandardCharsets.UTF_8)));
      }
      at += length;
    }
    return packets;
  }

  @Test
  void everyPacketSentAndReceivedIsInTheFileWithItsHeaders() throws IOException {
    Path file = folder.resolve("both.pcapng");
    MemorySegment there = Endpoint.datagram(333, 1);
    MemorySegment back = Endpoint.datagram(1, 2);
    try (Link a = open(addressA, null, file);
        Link b = open(addressB, null, null)) {
      a.send(there, 333, new Route(b.address(), 0x20, 9, 0), 0);
      b.send(back, 1, new Route(a.address(), 0x40, 3, 0), 0);
      inbox.expect(a, 1);
      a.await(1);
      assertThat(read(file)).as("complete whenever the engine waits").hasSize(2);
    }
    List<Captured> packets = read(file);
    assertThat(packets).hasSize(2);
    check(packets.get(0), addressA, addressB, 0x20, 9, there);
    check(packets.get(1), addressB, addressA, 0x40, 3, back);
    assertThat(packets).extracting(Captured::nanos).containsExactly(EPOCH + 1, EPOCH + 2);
  }

  private static void check(
      Captured captured, Gid src, Gid dst, int trafficClass, int hopLimit, MemorySegment body) {
    MemorySegment packet = MemorySegment.ofArray(captured.packet());
    IpUdpFrame frame = new IpUdpFrame();
    assertThat(frame.parseIp(packet, 0, packet.byteSize())).isTrue();
    assertThat(Gids.gid(frame.src())).isEqualTo(src);
    assertThat(Gids.gid(frame.dst())).isEqualTo(dst);
    assertThat(frame.trafficClass()).isEqualTo(trafficClass);
    assertThat(frame.hopLimit()).isEqualTo(hopLimit);
    assertThat(frame.dstPort()).isEqualTo(4791);
    assertThat(packet.asSlice(frame.payloadOffset(), frame.payloadLength()).mismatch(body))
        .isEqualTo(-1);
  }

  @Test
  void theFileShowsWhatReallyLeft() throws IOException {
    Path file = folder.resolve("faults.pcapng");
    int packets = 500;
    FaultSpec faults = FaultSpec.parse("drop:0.2,dup:0.2,corrupt:0.2,reorder:0.2,seed:4");
    MemorySegment datagram = Endpoint.datagram(64, 1);
    try (Link b = open(addressB, null, null)) {
      try (Link a = open(addressA, faults, file)) {
        for (int i = 0; i < packets; i++) {
          assertThat(a.send(datagram, 64, Endpoint.routeTo(b), i)).isTrue();
        }
      }
      inbox.expect(b, b.receive(inbox, 2 * packets, 0));
    }
    List<Captured> all = read(file);
    List<Captured> captured =
        all.stream().filter(packet -> !packet.text().contains("fault: dropped")).toList();
    assertThat(all.size() - captured.size())
        .isEqualTo((int) inbox.count(Counter.FAULTS_DROPPED))
        .isPositive();
    assertThat(captured).hasSameSizeAs(inbox.mails);
    for (int i = 0; i < captured.size(); i++) {
      assertThat(captured.get(i).packet()).endsWith(inbox.mails.get(i).bytes());
      boolean whole = Arrays.equals(inbox.mails.get(i).bytes(), Endpoint.bytes(datagram));
      if (!whole && !captured.get(i).text().contains("fault: duplicate")) {
        assertThat(captured.get(i).text()).contains("fault: a bit flipped");
      }
    }
    assertThat(captured).anyMatch(packet -> packet.text().contains("fault: duplicate"));
    assertThat(captured).anyMatch(packet -> packet.text().contains("fault: reordered"));
    assertThat(captured).anyMatch(packet -> packet.text().isEmpty());
  }

  @Test
  void whatADeviceSendsToItselfIsInTheFileOnce() throws IOException {
    Path file = folder.resolve("self.pcapng");
    MemorySegment body = Endpoint.datagram(64, 1);
    try (Link a = open(addressA, FaultSpec.parse("dropnth:2"), file)) {
      for (int i = 0; i < 3; i++) {
        assertThat(a.send(body, 64, new Route(a.address(), 0, 9, 0), i)).isTrue();
      }
      inbox.expect(a, 2);
    }
    List<Captured> packets = read(file);
    assertThat(packets).hasSize(3);
    check(packets.get(1), addressA, addressA, 0, 9, body);
    assertThat(packets.get(0).text()).isEmpty();
    assertThat(packets.get(1).text()).contains("fault: dropped");
    assertThat(packets.get(2).text()).isEmpty();
  }

  @Test
  void devicesOfOneProcessShareAFileThatHasWhatEachSends() throws IOException {
    Path file = folder.resolve("shared.pcapng");
    MemorySegment there = Endpoint.datagram(64, 1);
    MemorySegment back = Endpoint.datagram(64, 2);
    try (Link a = open(addressA, null, file);
        Link b = open(addressB, FaultSpec.parse("dropnth:1"), file.resolve("..").resolve(file))) {
      a.send(there, 64, new Route(b.address(), 0, 9, 0), 0);
      b.send(back, 64, new Route(a.address(), 0, 9, 0), 0);
      b.send(back, 64, new Route(a.address(), 0, 9, 0), 0);
      inbox.expect(b, 1);
      inbox.expect(a, 2);
    }
    List<Captured> packets = read(file);
    assertThat(packets).hasSize(3);
    check(packets.get(0), addressA, addressB, 0, 9, there);
    check(packets.get(1), addressB, addressA, 0, 9, back);
    assertThat(packets.get(1).text()).contains("fault: dropped");
    check(packets.get(2), addressB, addressA, 0, 9, back);
    assertThat(packets.get(2).text()).isEmpty();
    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
        .contains("verbena " + Gids.address(addressA), "verbena " + Gids.address(addressB));
    open(addressA, null, file).close();
    assertThat(read(file)).as("a new file, once all have closed it").isEmpty();
  }

  @Test
  void wiresharkReadsTheFile() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/tshark")), "tshark is not installed");
    Path file = folder.resolve("shark.pcapng");
    FaultSpec faults = FaultSpec.parse("dup:1,dropnth:2,seed:4");
    try (Link b = open(addressB, null, null);
        Link a = open(addressA, faults, file)) {
      a.send(Endpoint.datagram(64, 1), 64, new Route(b.address(), 0, 9, 0), 0);
      a.send(Endpoint.datagram(64, 1), 64, new Route(b.address(), 0, 9, 0), 1);
    }
    Process tshark =
        new ProcessBuilder(
                "/usr/bin/tshark",
                "-r",
                file.toString(),
                "-T",
                "fields",
                "-e",
                "frame.time_epoch",
                "-e",
                "ip.dst",
                "-e",
                "ip.ttl",
                "-e",
                "udp.dstport",
                "-e",
                "frame.comment")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(tshark.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tshark.waitFor(30, TimeUnit.SECONDS)).isTrue();
    String host = addressB.toInetAddress().getHostAddress();
    assertThat(output.lines().toList())
        .containsExactly(
            "1790000000.123456790\t" + host + "\t9\t4791\t",
            "1790000000.123456791\t" + host + "\t9\t4791\tfault: duplicate",
            "1790000000.123456792\t" + host + "\t9\t4791\tfault: dropped");
  }

  @Test
  void aFileThatCannotBeMadeIsAnErrorAndFreesTheAddress() {
    Path nowhere = folder.resolve("missing").resolve("file.pcapng");
    assertThatThrownBy(() -> open(addressA, null, nowhere))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(nowhere.toString());
    open(addressA, null, null).close();
  }

  @Test
  void aFullDiskEndsTheCaptureNotTheDevice() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "/dev/full is not there");
    try (Link a = open(addressA, null, full);
        Link b = open(addressB, null, null)) {
      for (int i = 0; i < 10; i++) {
        assertThat(Endpoint.send(a, b, Endpoint.datagram(64, i))).isTrue();
        a.await(1);
      }
      inbox.expect(b, 10);
    }
  }

  @Test
  void aFolderThatDoesNotExistIsToldApartFromAFileThatCannotBeWritten(@TempDir Path folder) {
    refusesToCaptureTo(folder.resolve("none").resolve("file.pcapng"), Errno.ENOENT);
    refusesToCaptureTo(folder, Errno.EACCES);
  }

  private static void refusesToCaptureTo(Path path, int errno) {
    try (Link inner = new MemoryNetwork().open(new Address(0, 1), (counter, count) -> {})) {
      assertThatThrownBy(() -> new CaptureLink(inner, path, () -> 0))
          .isInstanceOfSatisfying(
              VerbsException.class,
              e -> {
                assertThat(e.errno()).isEqualTo(errno);
                assertThat(e).hasMessageContaining(path.toString());
              });
    }
  }
}
