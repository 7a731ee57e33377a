package dev.verbena.soft.device.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.verbena.soft.link.UserFolder;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "process numbers are looked up in /proc")
final class PublishedCountersTest {
  private static final long SEED = 0x746f70;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration NONE = Duration.ZERO;

  @TempDir Path shared;
  private Path folder;
  private final Tally tally = new Tally();
  private final Population population = new Population(kind -> 10);

  @BeforeEach
  void makeTheFolderOfThisUser() throws IOException {
    folder = folderOf((int) Files.getAttribute(shared, "unix:uid"));
  }

  /** Makes the folder that has this user's name, and belongs to the user who runs this. */
  private Path folderOf(int user) throws IOException {
    Path made = shared.resolve("verbena-" + user);
    UserFolder.make(made);
    UserFolder.make(made.resolve(CountersFile.FOLDER));
    return made.resolve(CountersFile.FOLDER);
  }

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
      return CountersReader.look(shared, PATIENCE);
    } finally {
      over.set(true);
      thread.join();
    }
  }

  private byte[] onlyFile() throws IOException {
    return bytesOf(folder);
  }

  private static byte[] bytesOf(Path folder) throws IOException {
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
    assertThat(report.user()).isEqualTo(Files.getOwner(folder).getName());
    assertThat(report.pid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(report.device()).isEqualTo("soft_10_0_0_1");
    assertThat(report.program()).isEqualTo(System.getProperty("sun.java.command").strip());
    assertThat(report.counters()).containsExactly(Map.entry("packets_sent", 42L));
    assertThat(CountersReader.look(shared, NONE)).as("closed").isEmpty();
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
    List<DeviceReport> reports = CountersReader.look(shared, NONE);
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

    assertThat(CountersReader.look(shared, NONE)).hasSize(1);
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
      assertThat(CountersReader.look(shared, NONE))
          .as("seed %d, round %d", SEED, round)
          .extracting(DeviceReport::device)
          .contains("soft_10_0_0_1")
          .allSatisfy(text -> assertThat(text).doesNotContainPattern("\\p{C}"));
    }
    device.close();
  }

  @Test
  void rootSeesTheDevicesOfOtherUsers() throws Exception {
    assumeThat(Files.getOwner(shared).getName())
        .as("only root can give files away")
        .isEqualTo("root");
    Path others = folderOf(4711);
    Path file = others.resolve(CountersFile.newName());
    PublishedCounters device = PublishedCounters.start("soft_10_0_0_1", population, tally, file);
    for (Path path : List.of(file, others, others.getParent())) {
      Files.setAttribute(path, "unix:uid", 4711);
    }
    assertThat(lookWhileItAnswers(device))
        .extracting(DeviceReport::user, DeviceReport::answers)
        .containsExactly(tuple("4711", true));
    device.close();
  }

  @Test
  void aFolderThatIsNotItsUsersAloneIsLeftOut() throws Exception {
    Path unlike = folderOf(4711);
    PublishedCounters device = publish("soft_10_0_0_1");
    Files.write(unlike.resolve(CountersFile.newName()), onlyFile());
    assertThat(CountersReader.look(shared, NONE)).as("of another owner than its name").hasSize(1);
    Files.setPosixFilePermissions(folder.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(CountersReader.look(shared, NONE)).as("readable by others").isEmpty();
    device.close();
  }

  @Test
  void noLinkIsFollowedToWhatIsNotItsUsersAlone() throws Exception {
    PublishedCounters device = publish("soft_10_0_0_1");
    byte[] sound = onlyFile();
    Path elsewhere = shared.resolve("elsewhere");
    Files.move(folder, elsewhere);
    Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwxr-xr-x"));
    byte[] before = bytesOf(elsewhere);
    Files.createSymbolicLink(folder, elsewhere);
    assertThat(CountersReader.look(shared, NONE)).as("for the folder inside").isEmpty();
    Files.delete(folder);
    UserFolder.make(folder);
    try (var files = Files.list(elsewhere)) {
      Files.createSymbolicLink(folder.resolve("link"), files.findFirst().orElseThrow());
    }
    assertThat(CountersReader.look(shared, NONE)).as("for the file").isEmpty();
    Files.write(folder.resolve(CountersFile.newName()), sound);
    assertThat(CountersReader.look(shared, NONE)).as("without links").hasSize(1);
    Path user = shared.resolve("user");
    Files.move(folder.getParent(), user);
    Files.setPosixFilePermissions(user, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createSymbolicLink(folder.getParent(), user);
    assertThat(CountersReader.look(shared, NONE)).as("for the user's folder").isEmpty();
    assertThat(bytesOf(elsewhere)).as("nothing is asked there").isEqualTo(before);
    device.close();
  }

  /** To open a pipe that nobody writes to takes for ever. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aPipeOrAFileInPlaceOfAFolderIsLeftOut() throws Exception {
    PublishedCounters device = publish("soft_10_0_0_1");
    Path empty = folderOf(4711);
    Files.delete(empty);
    makePipe(empty);
    makePipe(shared.resolve("verbena-4712"));
    Files.createFile(shared.resolve("verbena-4713"));
    assertThat(CountersReader.look(shared, NONE)).hasSize(1);
    device.close();
  }

  private static void makePipe(Path path) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", "-m", "666", path.toString()).start().waitFor())
        .isZero();
  }

  @Test
  void aUserWithCountlessFilesDoesNotHoldUpTheReader() throws Exception {
    PublishedCounters device = publish("soft_10_0_0_1");
    byte[] sound = onlyFile();
    for (int i = 0; i < CountersReader.MOST_FILES + 10; i++) {
      Files.write(folder.resolve(CountersFile.newName()), sound);
    }
    assertThat(CountersReader.look(shared, NONE)).hasSize(CountersReader.MOST_FILES);
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

    DeviceReport report = CountersReader.parse("alice", bytes, true);
    assertThat(report)
        .isEqualTo(
            new DeviceReport(
                "alice", 7, "a ?[31m b", "d", true, 5, Map.of("qp", 3L), Map.of("x", 4L)));
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
    assertThat(CountersReader.look(shared, NONE)).isEmpty();
    device.close();
    assertThat(file).doesNotExist();
  }

  @Test
  void aFileThatCannotBeMadeIsDoneWithout() throws Exception {
    Path file = folder.resolve("missing").resolve(CountersFile.newName());
    PublishedCounters device = PublishedCounters.start("soft_10_0_0_1", population, tally, file);
    device.answer();
    device.close();
    assertThat(CountersReader.look(shared, NONE)).isEmpty();
  }
}
