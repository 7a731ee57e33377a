package dev.verbena.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** VERBENA_DEVICE, which only a process of its own can be given. */
final class DeviceOfEnvironmentTest {
  private final String address = TestAddresses.next();

  @Test
  void itIsTheDeviceOfDevinfoIfNoOptionNamesOne() throws Exception {
    String other = TestAddresses.next();

    assertThat(run("soft:" + address, "devinfo")).contains("hca_id:\t" + name(address));
    assertThat(run("soft:" + address, "devinfo", "-d", "soft:" + other))
        .contains("hca_id:\t" + name(other))
        .doesNotContain(name(address));
  }

  @Test
  void itIsTheDeviceOfTheOtherCommands() throws Exception {
    assertThat(run("soft:" + address + "?colour=blue", "asyncwatch"))
        .startsWith("verbena asyncwatch: ")
        .contains("soft:" + address, "unknown option 'colour'");
  }

  @Test
  void anEmptyOneIsNone() throws Exception {
    assertThat(run("", "devinfo")).contains("hca_id:\tsoft0");
  }

  @Test
  void aMalformedOneIsWrongUsageThatNamesTheVariable() throws Exception {
    assertThat(run("soft0?faults", "asyncwatch"))
        .startsWith("verbena asyncwatch: VERBENA_DEVICE: ")
        .contains("'faults' of 'soft0?faults'");
  }

  private static String name(String address) {
    return "soft_" + address.replace('.', '_');
  }

  /** What the command prints in an environment with this device. */
  private static String run(String device, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin/java");
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("VERBENA_DEVICE", device);
    Process process = builder.start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }
}
