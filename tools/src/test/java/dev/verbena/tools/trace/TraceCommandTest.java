package dev.verbena.tools.trace;

import static dev.verbena.tools.trace.TestCapture.LEFT;
import static dev.verbena.tools.trace.TestCapture.RIGHT;
import static dev.verbena.tools.trace.TestCapture.RIGHT_QP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** The device sends to itself, so each packet is captured when it leaves and when it arrives. */
  @Test
  void aReadOnALossyDeviceOfOursShowsItsFaults() throws Exception {
    Path file = folder.resolve("lossy.pcapng");
    long seed = 7;
    DeviceSpec spec =
        DeviceSpec.parse("soft:new?faults=drop:0.2,dup:0.2,seed:" + seed + "&capture=" + file);
    long duplicated;
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
    }
    CommandRun run = CommandRun.of("trace", file.toString());

    assertThat(run.err()).as("seed %d", seed).isEmpty();
    assertThat(run.out()).as("seed %d", seed).contains("READ_REQUEST", "gap: psn ", "  again");
    assertThat(arrows(run).stream().filter(line -> line.contains("fault: duplicate")))
        .as("seed %d: %s", seed, run.out())
        .hasSize((int) duplicated);
    assertThat(run.out().lines().filter(line -> line.contains(" -> "))).hasSize(2);
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
    assertThat(run.out()).doesNotContain("again", "late", "gap", "bad ICRC", "malformed");
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
            .containsPattern("at offset \\d+: the file ends at|no packet of RoCE v2");
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

  private static List<String> arrows(CommandRun run) {
    return run.out().lines().filter(line -> line.contains("|-") || line.contains("|<")).toList();
  }

  private static List<String> resource(String name) throws IOException {
    return Files.readAllLines(Path.of("src", "test", "resources", "trace", name));
  }
}
