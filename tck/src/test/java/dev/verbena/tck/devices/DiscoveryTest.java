package dev.verbena.tck.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.ChildProcess;
import dev.verbena.tck.kit.Refused;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsProvider;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How devices are found, named and opened. */
final class DiscoveryTest {
  private static final String MODULE =
      """
      module app {
        requires dev.verbena.verbs;
      }
      """;

  private static final String MAIN =
      """
      package app;

      import dev.verbena.verbs.Context;
      import dev.verbena.verbs.Devices;

      public final class Main {
        public static void main(String[] args) {
          if (!Devices.class.getModule().isNamed()) {
            throw new AssertionError("not on the module path");
          }
          try (Context context = Devices.open(args[0])) {
            System.out.println("opened " + context.device().name());
          }
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void aProviderIsFoundOnTheClassPath() {
    DeviceSpec spec = DeviceSpec.named("soft0");
    VerbsProvider provider =
        ServiceLoader.load(VerbsProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.accepts(spec))
            .findFirst()
            .orElseThrow();
    assertThat(VerbsProvider.class.getModule().isNamed()).as("on the module path").isFalse();
    assertThat(provider.devices()).extracting(Device::name).contains("soft0");
    assertThat(provider.describe()).contains("soft0", "soft:");
    try (Context context = provider.open(spec)) {
      assertThat(context.device().name()).isEqualTo("soft0");
    }
  }

  @Test
  void aProviderIsFoundOnTheModulePath() throws Exception {
    compileModule();
    String path =
        folder.resolve("classes") + File.pathSeparator + modulePath(DiscoveryTest::isOurs);
    String address = Addresses.next();
    try (ChildProcess child =
        ChildProcess.start(
            List.of("--module-path", path, "--module", "app/app.Main", "soft:" + address))) {
      int exitCode = child.exitCode();
      assertThat(child.output()).contains("opened soft");
      assertThat(exitCode).isZero();
    }
  }

  @Test
  void theDefaultDeviceOpensByName() {
    try (Context context = Devices.open("soft0")) {
      assertThat(context.device().name()).isEqualTo("soft0");
      assertThat(context.queryGid(1, 0).isZero()).isFalse();
    }
  }

  @Test
  void anUnknownDeviceIsRefusedWithTheNamesThatAreKnown() {
    Refused.of(() -> Devices.open("mlx5_0"), Errno.ENODEV)
        .from("openDevice")
        .naming("mlx5_0", "soft0", "soft:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?link=udp",
        "soft:",
        "soft 0",
        "soft:127.0.0.1?",
        "soft:127.0.0.1?link",
        "soft:127.0.0.1?link=udp&link=udp"
      })
  void textThatIsNoSpecificationIsRefused(String text) {
    Refused.of(() -> Devices.open(text), Errno.EINVAL);
  }

  @ParameterizedTest
  @CsvSource({
    "link=pigeon, pigeon",
    "icrc=maybe, maybe",
    "faults=drop:2, 2.0",
    "faults=rain:0.1, rain",
    "faults=drop:often, often",
    "colour=blue, colour"
  })
  void anUnknownOptionOrValueIsRefusedByName(String option, String named) {
    Refused.of(() -> Devices.open("soft:" + Addresses.next() + "?" + option), Errno.EINVAL)
        .naming(named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"soft:localhost", "soft:1.2.3", "soft:256.0.0.1", "soft:::g"})
  void anAddressMustBeOneOfIpv4OrIpv6(String spec) {
    Refused.of(() -> Devices.open(spec), Errno.EINVAL).naming(spec.substring(5));
  }

  /** Compiles without the annotations' module, which users of the API do not need. */
  private void compileModule() throws IOException {
    Path sources = Files.createDirectories(folder.resolve("src").resolve("app"));
    Path module = Files.writeString(sources.resolveSibling("module-info.java"), MODULE);
    Path main = Files.writeString(sources.resolve("Main.java"), MAIN);
    String modulePath = modulePath(DiscoveryTest::isOurs);
    int result =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
            .run(
                null,
                null,
                null,
                "--module-path",
                modulePath,
                "-d",
                Files.createDirectories(folder.resolve("classes")).toString(),
                module.toString(),
                main.toString());
    assertThat(result).as("exit code of javac").isZero();
  }

  private static boolean isOurs(String module) {
    return module.startsWith("dev.verbena.");
  }

  /** The entries of the class path that are modules of these names. */
  private static String modulePath(Predicate<String> names) {
    return ChildProcess.classPath().stream()
        .filter(
            entry ->
                ModuleFinder.of(Path.of(entry)).findAll().stream()
                    .map(ModuleReference::descriptor)
                    .filter(descriptor -> !descriptor.isAutomatic())
                    .map(ModuleDescriptor::name)
                    .anyMatch(names))
        .collect(Collectors.joining(File.pathSeparator));
  }
}
