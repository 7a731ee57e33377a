package dev.verbena.tools.trace;

import static dev.verbena.tools.trace.TestCapture.LEFT;
import static dev.verbena.tools.trace.TestCapture.RIGHT;
import static dev.verbena.tools.trace.TestCapture.RIGHT_QP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.tools.TestAddresses;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import dev.verbena.wire.Address;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.CaptureReader;
import dev.verbena.wire.CapturedFrame;
import dev.verbena.wire.IpUdpFrame;
import dev.verbena.wire.Opcode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

class TraceCommandTest {
  private static final Path SAMPLES = Path.of("..", "wire", "src", "test", "resources", "samples");

  @TempDir private Path folder;

  /** A READ of three packets, whose second one gets lost, and a SEND that meets no receive. */
  private static TestCapture lossy(TestCapture capture) {
    int ack = AethSyndrome.ACK_UNLIMITED;
    return capture
        .read(0xFFFFFE, 3000)
        .answer(Opcode.RC_READ_RESPONSE_FIRST, 0xFFFFFE, ack, 1024)
        .answer(Opcode.RC_READ_RESPONSE_LAST, 0, ack, 952)
        .read(0xFFFFFF, 1976)
        .answer(Opcode.RC_READ_RESPONSE_FIRST, 0xFFFFFF, ack, 1024)
        .answer(Opcode.RC_READ_RESPONSE_LAST, 0, ack, 952)
        .request(Opcode.RC_SEND_ONLY, 1, 5)
        .answer(Opcode.RC_ACKNOWLEDGE, 1, AethSyndrome.rnr(14), 0)
        .request(Opcode.RC_SEND_ONLY, 4, 6)
        .answer(Opcode.RC_ACKNOWLEDGE, 1, AethSyndrome.NAK_PSN_SEQUENCE_ERROR, 0)
        .damaged()
        .request(Opcode.RC_SEND_ONLY, 1, 5)
        .request(Opcode.RC_SEND_ONLY, 2, 5)
        .answer(Opcode.RC_ACKNOWLEDGE, 2, ack, 0)
        .answer(Opcode.RC_ACKNOWLEDGE, 2, ack, 0);
  }

  @Test
  void aLossyReadReadsWithoutALegend() throws Exception {
    CommandRun run = CommandRun.of("trace", lossy(TestCapture.raw()).write(folder).toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().skip(1).toList()).isEqualTo(resource("lossy.txt"));
  }

  /** Its PSN is that of the ACK before it, which is not sent again. */
  @Test
  void whatAPeerSaysOfItsReceiveBufferIsShownAndBelongsToNoMessage() throws Exception {
    Path file =
        TestCapture.raw()
            .request(Opcode.RC_SEND_ONLY, 7, 5)
            .answer(Opcode.RC_ACKNOWLEDGE, 7, AethSyndrome.ACK_UNLIMITED, 0)
            .answer(Opcode.VERBENA_BUFFER, 7, 0, 0)
            .write(folder);

    CommandRun run = CommandRun.of("trace", file.toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("BUFFER psn 7: how much its receive buffer holds")
        .doesNotContain("again");
  }

  /** The property writes it elsewhere: {@code -Dverbena.ladder.plot=$PWD/docs/ladder.svg}. */
  @Test
  void theLaddersAreAnImageToo() throws Exception {
    String plot = System.getProperty("verbena.ladder.plot");
    Path image = plot == null ? folder.resolve("ladders.svg") : Path.of(plot);
    String file = lossy(TestCapture.raw()).write(folder).toString();

    assertThat(CommandRun.of("trace", "--svg=" + image, file).exitCode()).isZero();

    assertThat(image).hasSameTextualContentAs(Path.of("..", "docs", "ladder.svg"));
    Document svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(image.toFile());
    assertThat(svg.getElementsByTagName("polygon").getLength()).isEqualTo(14);
    NodeList lines = svg.getElementsByTagName("line");
    assertThat(IntStream.range(0, lines.getLength()).mapToObj(lines::item))
        .filteredOn(line -> attribute(line, "class").equals("begin"))
        .extracting(line -> attribute(line, "x2"))
        .as("lines between four messages")
        .containsExactly("690", "690", "690");
    NodeList texts = svg.getElementsByTagName("text");
    assertThat(IntStream.range(0, texts.getLength()).mapToObj(texts::item))
        .extracting(Node::getTextContent)
        .contains("10.0.0.1 qp 0x11", "10.0.0.2 qp 0x12", "gap: psn 16777215 is missing")
        .contains("RNR NAK (wait 1.28 ms) psn 1, msn 1");
  }

  private static String attribute(Node element, String name) {
    return element.getAttributes().getNamedItem(name).getNodeValue();
  }

  @Test
  void noTextOfAStrangerIsPartOfTheImage() {
    assertThat(imageWith("<script>&amp;</script>"))
        .contains(">&lt;script>&amp;amp;&lt;/script></text>")
        .doesNotContain("<script");
  }

  @ParameterizedTest
  @CsvSource({
    "sent again, 1100",
    "gap: psn 16777214 to 16777215 are missing; congestion met; fault: duplicate, 1300",
  })
  void theImageIsWideEnoughForItsRemarks(String remark, int width) {
    assertThat(imageWith(remark)).contains("width=\"" + width + "\"");
  }

  private static String imageWith(String remark) {
    Conversation conversation =
        new Conversation(new Stream(new Direction(LEFT, RIGHT, RIGHT_QP, 7), 0), null);
    Ladder ladder = new Ladder(conversation, 0, false);
    ladder.rungs().add(new Rung(1, "0", "SEND", true, false, true, List.of(remark)));
    return LadderImage.svg(List.of(ladder));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0200000000020200000000010800",
    "1, 020000000002020000000001810000070800",
    "101, ''",
    "113, 00000001000600000000000000000800",
    "276, 0800000000000001000104000000000000000000",
  })
  void theLadderIsTheSameBehindEveryLinkHeaderAndInEitherByteOrder(int linkType, String header)
      throws Exception {
    Path file = lossy(TestCapture.bigEndian(linkType, header)).write(folder);

    assertThat(CommandRun.of("trace", file.toString()).out().lines().skip(1).toList())
        .isEqualTo(resource("lossy.txt"));
  }

  @Test
  void whatLinuxCapturesTwiceOnItsLoopbackIsShownOnce() throws Exception {
    TestCapture leaving = TestCapture.bigEndian(113, "00040304000600000000000000000800");
    byte[] first = leaving.request(Opcode.RC_SEND_ONLY, 7, 5).bytes();
    byte[] both = Arrays.copyOf(first, first.length * 2 - 24);
    System.arraycopy(first, 24, both, first.length, first.length - 24);
    both[first.length + 16 + 1] = 0;
    Path file = Files.write(folder.resolve("any.pcap"), both);

    String out = CommandRun.of("trace", file.toString()).out();
    assertThat(out).contains("packets in the file: 2, of RoCE v2: 1").doesNotContain("again");
  }

  /** The device sends to itself, and each packet is captured once, also those that get lost. */
  @Test
  void aReadOnALossyDeviceOfOursShowsItsFaults() throws Exception {
    Path file = folder.resolve("lossy.pcapng");
    long seed = 7;
    DeviceSpec spec =
        DeviceSpec.parse("soft:new?faults=drop:0.2,dup:0.2,seed:" + seed + "&capture=" + file);
    long duplicated;
    long dropped;
    try (Context context = Devices.open(spec);
        ProtectionDomain pd = context.allocPd();
        CompletionQueue cq = context.createCq(16);
        MemoryRegion memory = pd.allocMr(40_000, Access.LOCAL_WRITE, Access.REMOTE_READ);
        QueuePair reader = pd.createQp(QpInitAttr.rc(cq));
        QueuePair read = pd.createQp(QpInitAttr.rc(cq))) {
      reader.connect(read.endpoint());
      read.connect(reader.endpoint(), Access.REMOTE_READ);
      reader.postSend(
          new SendWr()
              .opcode(WrOpcode.RDMA_READ)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(memory.sge(20_000, 0))
              .rkey(memory.rkey())
              .remoteAddr(memory.addr() + 20_000));
      Completions.await(cq, Duration.ofSeconds(30));
      duplicated = context.counters().get(Counter.FAULTS_DUPLICATED);
      dropped = context.counters().get(Counter.FAULTS_DROPPED);
    }
    CommandRun run = CommandRun.of("trace", file.toString());

    assertThat(run.err()).as("seed %d", seed).isEmpty();
    assertThat(run.out())
        .as("seed %d", seed)
        .contains("READ_REQUEST", "  sent again")
        .doesNotContain("gap: psn ");
    assertThat(arrows(run).stream().filter(line -> line.contains("fault: duplicate")))
        .as("seed %d: %s", seed, run.out())
        .hasSize((int) duplicated);
    assertThat(dropped).as("seed %d", seed).isPositive();
    assertThat(run.out().lines().filter(line -> line.endsWith("fault: dropped")))
        .as("seed %d: %s", seed, run.out())
        .hasSize((int) dropped)
        .allMatch(line -> line.contains("-X") || line.contains("X-"));
    assertThat(run.out().lines().filter(line -> line.contains(" -> "))).hasSize(2);
  }

  /** On shared memory one packet stands for several, of which the capture's device sends none. */
  @Test
  void thereIsNoGapBehindALongPacket() throws Exception {
    Path file = folder.resolve("shm.pcapng");
    int size = 100_000;
    DeviceSpec sending = DeviceSpec.soft(TestAddresses.next()).link(LinkKind.SHM);
    DeviceSpec watching = DeviceSpec.soft(TestAddresses.next()).link(LinkKind.SHM).capture(file);
    try (Context a = Devices.open(sending);
        Context b = Devices.open(watching)) {
      CompletionQueue cq = a.createCq(4);
      ProtectionDomain here = a.allocPd();
      ProtectionDomain there = b.allocPd();
      MemoryRegion from = here.allocMr(size, Access.LOCAL_WRITE);
      MemoryRegion to = there.allocMr(size, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
      QueuePair writer = here.createQp(QpInitAttr.rc(cq));
      QueuePair target = there.createQp(QpInitAttr.rc(b.createCq(4)));
      writer.connect(target.endpoint());
      target.connect(writer.endpoint(), Access.REMOTE_WRITE);
      writer.postSend(
          new SendWr()
              .opcode(WrOpcode.RDMA_WRITE)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(from.sge())
              .rkey(to.rkey())
              .remoteAddr(to.addr()));
      Completions.await(cq, Duration.ofSeconds(30));
    }
    CommandRun run = CommandRun.of("trace", file.toString());

    assertThat(run.out())
        .containsPattern("WRITE_FIRST psn \\d+ to \\d+, 32768 of 100000 bytes")
        .doesNotContain("gap")
        .containsPattern("WRITE_LAST psn \\d+, 1696 bytes");
  }

  @Test
  void packetsThatTheKernelHasNotCutYetAreShownOneByOne() throws Exception {
    TestCapture capture =
        TestCapture.raw()
            .together(
                together ->
                    together
                        .request(Opcode.RC_SEND_FIRST, 1, 1024)
                        .request(Opcode.RC_SEND_MIDDLE, 2, 1024)
                        .request(Opcode.RC_SEND_LAST, 3, 7));

    String out = CommandRun.of("trace", capture.write(folder).toString()).out();
    assertThat(out)
        .contains(
            "packets in the file: 1, of RoCE v2: 3",
            "SEND_MIDDLE psn 2, 1024 bytes",
            "SEND_LAST psn 3")
        .doesNotContain("ICRC", "again", "gap");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rc-atomic",
        "rc-read",
        "rc-send",
        "rc-send-host",
        "rc-send-ipv6",
        "rc-write",
        "uc-send",
        "ud-send",
        "rdma-cm"
      })
  void packetsOfTheKernelAreInOneLadderAQueuePairWithoutAnyFlaw(String sample) throws Exception {
    CommandRun run = CommandRun.of("trace", SAMPLES.resolve(sample + ".pcap").toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).doesNotContain("again", "late", "gap", "wrong ICRC", "malformed");
  }

  @Test
  void aFileCutAnywhereShowsWhatItHasAndSaysWhereItEnds() throws Exception {
    byte[] file = lossy(TestCapture.raw()).bytes();
    Path cut = folder.resolve("cut.pcap");
    for (int length = 0; length < file.length; length += length < 200 ? 1 : 97) {
      Files.write(cut, Arrays.copyOf(file, length));
      CommandRun run = CommandRun.of("trace", cut.toString());
      assertThat(run.exitCode()).as("%d bytes", length).isIn(0, 1);
      assertThat(run.err().lines()).as(run.err()).hasSizeLessThanOrEqualTo(1);
      if (run.exitCode() == 1) {
        assertThat(run.err())
            .startsWith("verbena trace: " + cut + ": ")
            .containsPattern("at offset \\d+: the file ends at|no complete RoCE v2 packet");
      }
    }
  }

  @Test
  void partsAreChosenByQueuePairPacketNumberAndPsn() throws Exception {
    TestCapture both = lossy(TestCapture.raw());
    both.packet(LEFT, RIGHT, RIGHT_QP + 1, Opcode.RC_SEND_ONLY, 77, 0, 5, 5);
    String file = both.write(folder).toString();

    assertThat(CommandRun.of("trace", "--qp=0x13", file).out())
        .contains("psn 77")
        .doesNotContain("READ_REQUEST");
    assertThat(CommandRun.of("trace", "--qp=17", file).out())
        .contains("READ_REQUEST")
        .doesNotContain("psn 77");
    CommandRun none = CommandRun.of("trace", "--qp=0x99", file);
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err()).contains("0x99", "the file has 0x11, 0x12, 0x13");
    assertThat(arrows(CommandRun.of("trace", "--from=2", "--to=0x3", file))).hasSize(2);
    assertThat(arrows(CommandRun.of("trace", "--from=psn:0xfffffe", "--to=psn:0", file)))
        .hasSize(6);
    CommandRun most = CommandRun.of("trace", "--most=3", "--qp=0x12", file);
    assertThat(arrows(most)).hasSize(3);
    assertThat(most.out()).contains("11 more packets are not shown");
    CommandRun statistics = CommandRun.of("trace", "--statistics", file);
    assertThat(arrows(statistics)).isEmpty();
    assertThat(statistics.out()).contains("10.0.0.1 qp 0x11 -> 10.0.0.2 qp 0x12");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--from=x", "--to=psn:16777216", "--from=-1", "--qp=16777216", "--most=-1"})
  void aValueOutOfRangeIsWrongUsage(String option) throws Exception {
    CommandRun run =
        CommandRun.of("trace", option, lossy(TestCapture.raw()).write(folder).toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .startsWith("verbena trace: ")
        .contains(option.substring(0, option.indexOf('=')));
  }

  @Test
  void aFileThatIsNoneOrNoCaptureIsNamed() throws Exception {
    Path none = folder.resolve("none.pcap");
    assertThat(CommandRun.of("trace", none.toString()).err())
        .isEqualToIgnoringNewLines("verbena trace: " + none + ": no such file");
    Path text = Files.writeString(folder.resolve("a.txt"), "no capture");
    assertThat(CommandRun.of("trace", text.toString()).err())
        .startsWith("verbena trace: " + text + ": file header at offset 0: starts with");
  }

  /** As an adapter captures: what it sends has no ICRC yet, and what it receives has one. */
  @Test
  void icrcsAreJudgedForEachSender() throws Exception {
    TestCapture capture = TestCapture.raw();
    for (int psn = 1; psn <= 10; psn++) {
      capture.damaged().request(Opcode.RC_SEND_ONLY, psn ^ 0x8000, 5);
      capture.answer(Opcode.RC_ACKNOWLEDGE, psn, AethSyndrome.ACK_UNLIMITED, 0);
      capture.answer(Opcode.RC_ACKNOWLEDGE, psn, AethSyndrome.ACK_UNLIMITED, 0);
    }
    capture.damaged().answer(Opcode.RC_ACKNOWLEDGE, 10, AethSyndrome.ACK_UNLIMITED, 0);
    CommandRun run = CommandRun.of("trace", capture.write(folder).toString());

    assertThat(run.out())
        .contains("10 of 10 ICRCs from 10.0.0.1 are wrong, so they are not judged")
        .contains("10.0.0.1 qp 0x11 -> 10.0.0.2 qp 0x12")
        .contains("wrong ICRC (a receiver would drop it): 1")
        .doesNotContain("from 10.0.0.2");
    assertThat(arrows(run).stream().filter(line -> line.endsWith("wrong ICRC"))).hasSize(1);
  }

  @Test
  void anAddressThatDamageHasMadeIsNoSenderOfItsOwn() throws Exception {
    TestCapture capture = lossy(TestCapture.raw()).damaged();
    capture.packet(Address.ofIpv4(0x0A000099), RIGHT, RIGHT_QP, Opcode.RC_SEND_ONLY, 9, 0, 5, 5);
    CommandRun run = CommandRun.of("trace", capture.write(folder).toString());

    assertThat(run.out())
        .contains("damaged, malformed or cut off, of no conversation that is known: 1")
        .contains("Packets that belong to no conversation:")
        .contains("10.0.0.153 -> 10.0.0.2 qp 0x12: SEND_ONLY")
        .doesNotContain("not judged");
  }

  @Test
  void aDatagramThatCannotBeReadBelongsToThoseThatCan() throws Exception {
    byte[] sample = Files.readAllBytes(SAMPLES.resolve("ud-send.pcap"));
    MemorySegment file = MemorySegment.ofArray(sample);
    CapturedFrame frame = CaptureReader.of(file).next().orElseThrow();
    IpUdpFrame headers = new IpUdpFrame();
    assertThat(headers.parse(frame.linkType(), file, frame.offset(), frame.length())).isTrue();
    int record = (int) frame.offset() - 16;
    byte[] both = Arrays.copyOf(sample, sample.length + 16 + frame.length());
    System.arraycopy(sample, record, both, sample.length, 16 + frame.length());
    // The transport version.
    both[sample.length + (int) headers.payloadOffset() - record + 1] |= 1;
    Path twice = Files.write(folder.resolve("ud.pcap"), both);

    CommandRun run = CommandRun.of("trace", twice.toString());
    assertThat(run.out())
        .contains("unknown transport version", "malformed or cut off: 1")
        .doesNotContain("no conversation");
  }

  @Test
  void whatHasLeftIsForgottenIfItNeverArrives() throws Exception {
    int many = 1 << 16;
    byte[] one =
        TestCapture.bigEndian(113, "00040304000600000000000000000800")
            .request(Opcode.RC_SEND_ONLY, 0, 5)
            .bytes();
    int length = one.length - 24;
    byte[] file = Arrays.copyOf(one, 24 + length * (many + 2));
    for (int i = 1; i <= many + 1; i++) {
      int record = 24 + length * i;
      System.arraycopy(one, 24, file, record, length);
      int psn = record + 16 + 16 + 28 + 9;
      file[psn] = (byte) (i >> 16);
      file[psn + 1] = (byte) (i >> 8);
      file[psn + 2] = (byte) i;
    }
    // The last one is the first one's arrival.
    int last = 24 + length * (many + 1);
    System.arraycopy(one, 24, file, last, length);
    file[last + 16 + 1] = 0;
    Path path = Files.write(folder.resolve("leaving.pcap"), file);

    assertThat(CommandRun.of("trace", "--statistics", path.toString()).out())
        .contains("packets in the file: 65538, of RoCE v2: 65538");
  }

  @Test
  void aPartWithoutPacketsAndAPartOfStatisticsAreRefused() throws Exception {
    String file = lossy(TestCapture.raw()).write(folder).toString();

    CommandRun none = CommandRun.of("trace", "--from=9", "--to=3", file);
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err())
        .isEqualToIgnoringNewLines("verbena trace: " + file + ": no packet from 9 to 3");
    assertThat(CommandRun.of("trace", "--to=psn:77", "--from=psn:70", file).err())
        .endsWith(": no packet from psn:70 to psn:77" + System.lineSeparator());
    CommandRun both = CommandRun.of("trace", "--statistics", "--from=2", file);
    assertThat(both.exitCode()).isEqualTo(2);
    assertThat(both.err()).contains("--statistics", "from 2");
  }

  @Test
  void anUnknownQueuePairIsAnsweredBySomeOfTheFileAndItsError() throws Exception {
    TestCapture capture = TestCapture.raw();
    for (int qpn = 1; qpn <= 25; qpn++) {
      capture.packet(LEFT, RIGHT, qpn, Opcode.RC_SEND_ONLY, 7, 0, 5, 5);
    }
    byte[] whole = capture.bytes();
    Path cut = Files.write(folder.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 1));

    assertThat(CommandRun.of("trace", "--qp=99", cut.toString()).err())
        .contains("0x63; the file has 0x1, 0x2,", "0x14 and 4 more, and then ends in an error: ")
        .contains("the file ends at");
  }

  @Test
  void packetsThatBreakTheFormatAreCounted() throws Exception {
    byte[] file = lossy(TestCapture.raw()).bytes();
    // The original length of the first packet.
    file[24 + 12] = 1;
    Path path = Files.write(folder.resolve("broken.pcap"), file);

    CommandRun run = CommandRun.of("trace", path.toString());
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("packets and interfaces that break the format, and were skipped: 1; the first: ")
        .contains("packet 1 at offset 24", "READ_RESPONSE_LAST");
  }

  @Test
  void aFolderIsNoCapture() {
    assertThat(CommandRun.of("trace", folder.toString()).err())
        .isEqualToIgnoringNewLines(
            "verbena trace: " + folder + " is not a regular file; write the capture to one");
  }

  private static List<String> arrows(CommandRun run) {
    return run.out().lines().filter(line -> line.contains("|-") || line.contains("|<")).toList();
  }

  private static List<String> resource(String name) throws IOException {
    return Files.readAllLines(Path.of("src", "test", "resources", "trace", name));
  }
}
