package dev.verbena.soft.device.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.provider.Population;
import dev.verbena.verbs.spi.DeviceReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "process numbers are looked up in /proc")
final class PublishedCountersTest {
  private static final long SEED = 0x746f70;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration NONE = Duration.ZERO;

  @TempDir Path folder;
  private final Tally tally = new Tally();
  private final Population population = new Population(kind -> 10);

  private PublishedCounters publish(String device) {
    return PublishedCounters.start(
        device, population, tally, folder.resolve(CountersFile.newName()));
  }

  /** Does for the device what its thread would do, while somebody looks. */
  private List<DeviceReport> lookWhileItAnswers(PublishedCounters device)
      throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over.get()) {
                    device.answer();
                    Thread.onSpinWait();
                  }
                });
    try {
      return CountersReader.look(folder, PATIENCE);
    } finally {
      over.set(true);
      thread.join();
    }
  }

  private byte[] onlyFile() throws IOException {
    try (var files = Files.list(folder)) {
      return Files.readAllBytes(files.findFirst().orElseThrow());
    }
  }

  @Test
  void whoAsksIsToldWhatWasCounted() throws Exception {
    tally.add(Counter.PACKETS_SENT, 12);
    PublishedCounters device = publish("soft_10_0_0_1");
    tally.add(Counter.PACKETS_SENT, 30);
    List<DeviceReport> reports = lookWhileItAnswers(device);
    device.close();

    assertThat(reports).hasSize(1);
    DeviceReport report = reports.getFirst();
    assertThat(report.answers()).isTrue();
    assertThat(report.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(report.device()).isEqualTo("soft_10_0_0_1");
    assertThat(report.program()).isEqualTo(System.getProperty("sun.java.command").strip());
    assertThat(report.counters()).containsExactly(Map.entry("packets_sent", 42L));
    assertThat(CountersReader.look(folder, NONE)).as("closed").isEmpty();
  }

  @Test
  void aDeviceThatNobodyAsksWritesNothing() throws Exception {
    PublishedCounters device = publish("soft_10_0_0_1");
    byte[] before = onlyFile();
    tally.add(Counter.PACKETS_SENT, 1);
    device.answer();
    assertThat(onlyFile()).isEqualTo(before);
    device.close();
  }

  @Test
  void aDeviceThatDoesNotAnswerIsShownWithWhatItToldLast() throws Exception {
    tally.add(Counter.TIMEOUTS, 3);
    PublishedCounters device = publish("soft_10_0_0_1");
    tally.add(Counter.TIMEOUTS, 4);
    List<DeviceReport> reports = CountersReader.look(folder, NONE);
    assertThat(reports).extracting(DeviceReport::answers).containsExactly(false);
    assertThat(reports.getFirst().counter("timeouts")).isEqualTo(3);
    device.close();
  }

  @Test
  void onlyTheUserMayReadTheFile() throws Exception {
    PublishedCounters device = publish("soft_10_0_0_1");
    try (var files = Files.list(folder)) {
      assertThat(files)
          .hasSize(1)
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
    }
    device.close();
  }

  @Test
  void aFileOfADeadProcessIsRemovedAndOneOfAnotherContainerIsNot() throws Exception {
    Path file = folder.resolve(CountersFile.newName());
    PublishedCounters device = PublishedCounters.start("soft_10_0_0_1", population, tally, file);
    Process process = new ProcessBuilder("true").start();
    assertThat(process.waitFor()).isZero();
    String[] name = String.valueOf(file.getFileName()).split("-", -1);
    Path dead =
        Files.copy(file, folder.resolve(name[0] + "-" + process.pid() + "-" + name[2] + "-1"));
    Path reused = Files.copy(file, folder.resolve(name[0] + "-" + name[1] + "-1-1"));
    Path elsewhere = Files.copy(file, folder.resolve("1-" + process.pid() + "-" + name[2] + "-1"));

    assertThat(CountersReader.look(folder, NONE)).hasSize(1);
    assertThat(dead).doesNotExist();
    assertThat(reused).as("its number belongs to another process now").doesNotExist();
    assertThat(elsewhere).exists();
    device.close();
  }

  @Test
  void whatMakesNoSenseIsLeftOut() throws Exception {
    PublishedCounters device = publish("soft_10_0_0_1");
    byte[] sound = onlyFile();
    Files.createDirectory(folder.resolve("folder"));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("/dev/zero"));
    assertThat(new ProcessBuilder("mkfifo", folder.resolve("fifo").toString()).start().waitFor())
        .isZero();
    Files.createFile(folder.resolve("empty"));
    Random random = new Random(SEED);
    Path file = folder.resolve(CountersFile.newName());
    for (int round = 0; round < 300; round++) {
      byte[] bytes = sound.clone();
      if (round % 3 == 0) {
        bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      } else if (round % 3 == 1) {
        for (int i = 0; i < 20; i++) {
          bytes[random.nextInt((int) CountersFile.TEXT_AT + 200)] = (byte) random.nextInt();
        }
      } else {
        random.nextBytes(bytes);
      }
      Files.write(file, bytes);
      assertThat(CountersReader.look(folder, NONE))
          .as("seed %d, round %d", SEED, round)
          .extracting(DeviceReport::device)
          .contains("soft_10_0_0_1")
          .allSatisfy(text -> assertThat(text).doesNotContainPattern("\\p{C}"));
    }
    device.close();
  }

  @Test
  void aTextIsReadLineByLine() {
    String text =
        """
        pid 7
        program a \033[31m b
        device d
        nanos 5
        news from later
        objects qp 3
        counter x 4
        counter y
        counter z -1
        counter huge 99999999999999999999
        """;
    ByteBuffer bytes = ByteBuffer.allocate(CountersFile.BYTES).order(ByteOrder.nativeOrder());
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    bytes.putInt((int) CountersFile.LENGTH_AT, encoded.length);
    bytes.put((int) CountersFile.TEXT_AT, encoded);

    DeviceReport report = CountersReader.parse(bytes, true);
    assertThat(report)
        .isEqualTo(
            new DeviceReport(7, "a ?[31m b", "d", true, 5, Map.of("qp", 3L), Map.of("x", 4L)));
  }

  @Test
  void aFileThatIsCutShortEndsThePublishingOnly() throws Exception {
    Path file = folder.resolve(CountersFile.newName());
    PublishedCounters device = PublishedCounters.start("soft_10_0_0_1", population, tally, file);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
    device.answer();
    device.answer();
    assertThat(CountersReader.look(folder, NONE)).isEmpty();
    device.close();
    assertThat(file).doesNotExist();
  }

  @Test
  void aFileThatCannotBeMadeIsDoneWithout() throws Exception {
    Path file = folder.resolve("missing").resolve(CountersFile.newName());
    PublishedCounters device = PublishedCounters.start("soft_10_0_0_1", population, tally, file);
    device.answer();
    device.close();
    assertThat(CountersReader.look(folder, NONE)).isEmpty();
  }
}
