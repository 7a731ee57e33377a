package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files in /dev and /sys by which programs recognise a kernel's device. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the library is built on Linux only")
final class DeviceFilesTest {
  private static final String DEVICE = "soft:127.0.0.24";
  private static final String NAME = "soft_127_0_0_24";
  private static final String OK = "ok\n";

  /** Where a folder is created briefly when a program opens one of ours. */
  private static final List<Path> MAKERS = List.of(Path.of("/dev/shm"), Path.of("/tmp"));

  @TempDir Path folder;

  private record Run(int exitCode, String out, String err) {}

  private ProcessBuilder shell(String device, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(NativeLibrary.environment(device));
    return builder;
  }

  /** Runs a shell script as {@code verbena run} does. */
  private Run run(String device, String script) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", ".txt");
    Path err = Files.createTempFile(folder, "err", ".txt");
    Process process =
        shell(device, "sh", "-c", script)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new Run(process.waitFor(), Files.readString(out), Files.readString(err));
  }

  private static void expectOk(CProgram.Run run) {
    assertThat(run.text()).isEqualTo(OK);
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void theyAreFoundByEveryWayOfTheLibraryOfC() throws Exception {
    expectOk(CProgram.unlinked(folder, "device_files").on("soft0"));
  }

  @Test
  void whoeverDoesNotReadAnAddressBindsNoSocket() throws Exception {
    expectOk(CProgram.withPartsOfTheShim(folder, "address_asked").on("soft0"));
  }

  @Test
  void whereNoInterfaceCanBeAskedTheStateIsAnErrorAndNotDown() throws Exception {
    expectOk(CProgram.withPartsOfTheShim(folder, "interfaces_unknown").on("soft0"));
  }

  @Test
  void withoutMemoryAFolderCannotBeOpenedAndNoDescriptorIsLostOrClosedTwice() throws Exception {
    expectOk(CProgram.withPartsOfTheShim(folder, "folders_without_memory").on("soft0"));
  }

  @Test
  void anEarlierLibraryOfCThatHasNoStatIsAskedInItsOwnWay() throws Exception {
    expectOk(CProgram.withPartsOfTheShim(folder, "before_2_33", "files/next.c").run());
  }

  @Test
  void theySayWhatVerbsSayAndCountWhatTheProgramSends() throws Exception {
    expectOk(CProgram.of(folder, "files_agree").on("soft:127.0.0.23?link=packet"));
  }

  @Test
  void aRequestOutOfSequenceCountsOnceAsInTheKernel() throws Exception {
    String faults = "soft:127.0.0.27?link=packet&faults=drop:0.05,seed:11";
    expectOk(CProgram.of(folder, "files_lose").on(faults));
  }

  /**
   * The files of the kernel's rxe, with its contents; except for power management and the CM's
   * messages.
   */
  @ParameterizedTest
  @CsvSource({
    "fw_ver, [0-9.]+",
    "node_desc, \\w+",
    "node_guid, (\\p{XDigit}{4}:){3}\\p{XDigit}{4}",
    "node_type, 1: CA",
    "parent, lo",
    "ports/1/cap_mask, 0x\\p{XDigit}{8}",
    "ports/1/gid_attrs/ndevs/0, lo",
    "ports/1/gid_attrs/types/0, RoCE v2",
    "ports/1/gids/0, 0000:0000:0000:0000:0000:ffff:7f00:0018",
    "ports/1/gids/1, 0000:0000:0000:0000:0000:0000:0000:0000",
    "ports/1/hw_counters/duplicate_request, 0",
    "ports/1/hw_counters/lifespan, \\d+",
    "ports/1/hw_counters/out_of_seq_request, 0",
    "ports/1/hw_counters/rcvd_pkts, 0",
    "ports/1/hw_counters/rcvd_rnr_err, 0",
    "ports/1/hw_counters/rcvd_seq_err, 0",
    "ports/1/hw_counters/send_rnr_err, 0",
    "ports/1/hw_counters/sent_pkts, 0",
    "ports/1/lid, 0x0",
    "ports/1/lid_mask_count, 0",
    "ports/1/link_layer, Ethernet",
    "ports/1/phys_state, 5: LinkUp",
    "ports/1/pkeys/0, 0xffff",
    "ports/1/rate, 2.5 Gb/sec \\(1X SDR\\)",
    "ports/1/sm_lid, 0x0",
    "ports/1/sm_sl, 0",
    "ports/1/state, 4: ACTIVE",
    "sys_image_guid, (\\p{XDigit}{4}:){3}\\p{XDigit}{4}",
    "uevent, NAME=soft_127_0_0_24",
    "../../infiniband_verbs/uverbs0/ibdev, soft_127_0_0_24",
    "../../infiniband_verbs/uverbs0/dev, 231:192",
    "../../infiniband_verbs/uverbs0/abi_version, \\d+",
    "../../../../class/infiniband_verbs/abi_version, 6"
  })
  void aFileSaysWhatTheKernelsSays(String file, String pattern) throws Exception {
    Run run = run(DEVICE, "cat /sys/class/infiniband/" + NAME + "/" + file);

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).matches(pattern + "\n");
  }

  @Test
  void aShellGoesThroughThemAsThroughAllOthers() throws Exception {
    Run run =
        run(
            DEVICE,
            "set -e; cd /sys/class/infiniband; echo *; cd "
                + NAME
                + "/ports/1; echo g*; /bin/pwd;"
                + " read state <state; echo $state; test -c /dev/infiniband/uverbs0;"
                + " test -w /dev/infiniband/uverbs0; cd -P ../../../../../..; /bin/pwd");

    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            soft_127_0_0_24
            gid_attrs gids
            /sys/devices/virtual/infiniband/soft_127_0_0_24/ports/1
            4: ACTIVE
            /sys
            """);
  }

  @Test
  void allOfThemCanBeListedAndCopied() throws Exception {
    Run listed = run(DEVICE, "ls -laR /sys/class/infiniband/" + NAME + "/ /dev/infiniband");
    Run copied = run(DEVICE, "cp -r /sys/devices/virtual/infiniband/*/ports/1/counters .");

    assertThat(listed.err()).isEmpty();
    assertThat(listed.exitCode()).isZero();
    assertThat(listed.out())
        .contains(" 231, 192 ", " subsystem -> ../../../../class/infiniband\n")
        .contains("-r--r--r-- 1 root root 4096 ");
    assertThat(copied.err()).isEmpty();
    assertThat(folder.resolve("counters/port_xmit_data")).hasContent("0\n");
  }

  @Test
  void theCommandsThatChangeFilesSayThatTheyMayNot() throws Exception {
    Run run =
        run(
            DEVICE,
            "cd /sys/class/infiniband; mkdir -p . new; rm -f "
                + NAME
                + "/node_type; chmod 600 "
                + NAME
                + "/lid; chmod 600 "
                + NAME
                + "/node_guid; mv "
                + NAME
                + "/fw_ver /tmp");

    assertThat(run.err().lines())
        .hasSize(5)
        .filteredOn(line -> !line.contains("/lid'"))
        .allMatch(line -> line.endsWith(": Operation not permitted"));
  }

  @Test
  void aPortWhoseAddressIsNotOnThisMachineIsDown() throws Exception {
    Run run = run("soft:192.0.2.77", "cd /sys/class/infiniband/*/ports/1; cat state gids/0");

    assertThat(run.out()).isEqualTo("1: DOWN\n0000:0000:0000:0000:0000:0000:0000:0000\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"4119", "04119", "0x1017"})
  void theNumberOfTheKindIsTheOneThatTheUserGave(String number) throws Exception {
    String device = DEVICE + "?icrc=off&vendor_part_id=" + number;

    assertThat(run(device, "cat /sys/class/infiniband/*/device/device").out())
        .isEqualTo("0x1017\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ibstat", "ibstatus"})
  void theToolsForTheStateOfAPortSayThatItIsUp(String tool) throws Exception {
    assumeThat(run(DEVICE, "command -v " + tool).exitCode()).as(tool).isZero();
    Run run = run(DEVICE, tool);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains(NAME).containsIgnoringCase("active").contains("LinkUp");
  }

  @Test
  void nothingStaysBehindAProgramThatIsKilled() throws Exception {
    String script =
        "cd /sys/class/infiniband && exec 3<" + NAME + "/node_guid && echo ready; read x";
    Process process = shell(DEVICE, "sh", "-c", script).start();
    try (BufferedReader said = process.inputReader()) {
      assertThat(said.readLine()).isEqualTo("ready");
      assertThat(leftBy(process.pid())).isEmpty();
      process.destroyForcibly().waitFor();
    }
    assertThat(leftBy(process.pid())).isEmpty();
  }

  private static List<Path> leftBy(long process) throws IOException {
    List<Path> left = new ArrayList<>();
    for (Path maker : MAKERS) {
      try (DirectoryStream<Path> found =
          Files.newDirectoryStream(maker, ".verbena-" + process + "-*")) {
        found.forEach(left::add);
      }
    }
    return left;
  }
}
