package dev.verbena.tools.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tools.CommandRun;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.spi.DeviceReport;
import dev.verbena.verbs.vtools.Completions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TopCommandTest {
  private static DeviceReport report(long pid, String device, long nanos, long sent) {
    return new DeviceReport(
        "alice", pid, "prog", device, true, nanos, Map.of("qp", 2L), Map.of("packets_sent", sent));
  }

  @Test
  void ratesAreWhatACounterHasGrownByInTheTimeOfItsOwnProcess() {
    Rates rates = new Rates();
    assertThat(rates.next(List.of(report(1, "a", 0, 100))).getFirst().perSecond()).isEmpty();
    List<Rates.Measured> second =
        rates.next(List.of(report(1, "a", 500_000_000, 150), report(1, "b", 7, 9)));
    assertThat(second).extracting(each -> each.rate("packets_sent")).containsExactly(100.0, 0.0);
    assertThat(
            rates.next(List.of(report(1, "a", 500_000_000, 150))).getFirst().rate("packets_sent"))
        .as("no news")
        .isEqualTo(100.0);
    assertThat(rates.next(List.of(report(1, "a", 900_000_000, 3))).getFirst().perSecond())
        .as("opened again")
        .isEmpty();
  }

  @Test
  void aUserCannotSpoilTheRatesOfAnother() {
    Rates rates = new Rates();
    DeviceReport liar =
        new DeviceReport("mallory", 1, "prog", "a", true, 9, Map.of(), Map.of("packets_sent", 7L));
    rates.next(List.of(report(1, "a", 0, 100), liar));
    assertThat(rates.next(List.of(report(1, "a", 500_000_000, 150), liar)))
        .extracting(each -> each.rate("packets_sent"))
        .containsExactly(100.0, 0.0);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.4, 0",
    "7, 7",
    "999.4, 999",
    "999.6, 1.00k",
    "1234, 1.23k",
    "99949, 99.9k",
    "123456, 123k",
    "1999999, 2.00M",
    "4.5e9, 4.50G",
    "7e16, 70000T"
  })
  void numbersHaveThreeDigitsAndAUnit(double number, String text) {
    assertThat(Table.text(number)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "dev.verbena.tools.Main write-bw -D 6, verbena write-bw -D 6",
    "com.example.Store, Store",
    "/opt/app/store.jar --port 7, store.jar --port 7",
    "store.jar, store.jar",
    "/usr/bin/ib_write_bw -d soft0, ib_write_bw -d soft0",
    "'', ''"
  })
  void programsAreNamedWithoutWhereTheyAre(String program, String text) {
    assertThat(ProgramText.of(program)).isEqualTo(text);
  }

  @Test
  void theBusiestIsFirstAndWhoDoesNotAnswerSaysNoNumbers() {
    DeviceReport silent =
        new DeviceReport(
            "alice", 3, "stopped", "c", false, 0, Map.of(), Map.of("packets_sent", 5L));
    Rates rates = new Rates();
    rates.next(List.of(report(1, "a", 0, 0), busy(0, 0), silent));
    List<String> lines =
        Table.lines(
            rates.next(
                List.of(report(1, "a", 1_000_000_000, 5), busy(1_000_000_000, 2_500_000), silent)));

    assertThat(lines.getFirst()).isEqualTo("3 devices open in 3 processes");
    assertThat(lines.get(4)).startsWith("      2 barthol~ prog").contains(" 2.50M ", " 5.00M ");
    assertThat(lines)
        .anyMatch(line -> line.startsWith("      3 alice    stopped") && line.contains("c "))
        .filteredOn(line -> line.contains("does not answer"))
        .hasSize(1);
    String head = lines.get(3);
    assertThat(lines.get(4)).hasSize(head.length());
  }

  private static DeviceReport busy(long nanos, long bytes) {
    return new DeviceReport(
        "bartholomew",
        2,
        "prog",
        "b",
        true,
        nanos,
        Map.of("qp", 2L),
        Map.of("bytes_sent", bytes, "direct_bytes", bytes, "loopback_bytes", bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "NaN", "4000"})
  void anIntervalOutOfRangeIsWrongUsage(String seconds) throws Exception {
    CommandRun run = CommandRun.of("top", "-i", seconds);
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--interval=");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "devices are seen on Linux only")
  void aProgramAtWorkIsSeenWithItsRates() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    try (Context context = Devices.open("soft:new");
        ProtectionDomain pd = context.allocPd();
        CompletionQueue cq = context.createCq(16, context.createCompChannel());
        MemoryRegion memory = pd.allocMr(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        QueuePair a = pd.createQp(QpInitAttr.rc(cq));
        QueuePair b = pd.createQp(QpInitAttr.rc(cq))) {
      a.connect(b.endpoint());
      b.connect(a.endpoint(), Access.REMOTE_WRITE);
      SendWr write =
          new SendWr()
              .opcode(WrOpcode.RDMA_WRITE)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(memory.sge())
              .rkey(memory.rkey())
              .remoteAddr(memory.addr());
      Thread program =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!over.get()) {
                      a.postSend(write);
                      Completions.await(cq, Duration.ofSeconds(10));
                    }
                  });
      try {
        String device = context.device().name();
        CommandRun json = CommandRun.of("top", "--once", "--json");
        assertThat(json.exitCode()).as(json.err()).isZero();
        assertThat(json.out().lines()).hasSize(1);
        assertThat(json.out())
            .contains(
                "\"user\":\"%s\",\"pid\":%d"
                    .formatted(System.getProperty("user.name"), ProcessHandle.current().pid()))
            .containsPattern(
                "\"device\":\"" + device + "\",\"answers\":true,\"objects\":[^}]*\"qp\":2")
            .contains("\"loopback_messages\":")
            .contains("\"retransmitted\":0");
        CommandRun table = CommandRun.of("top", "--once", "-i", "0.3");
        assertThat(table.exitCode()).as(table.err()).isZero();
        assertThat(table.out()).contains(" packets/s ").doesNotContain("\033");
        assertThat(table.out().lines())
            .filteredOn(line -> line.contains(device.substring(0, 15)))
            .isNotEmpty();
      } finally {
        over.set(true);
        program.join();
      }
    }
  }
}
