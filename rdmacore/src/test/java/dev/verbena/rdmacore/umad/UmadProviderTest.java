package dev.verbena.rdmacore.umad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.NodeProvider;
import dev.verbena.verbs.NodeSnapshot;
import dev.verbena.verbs.NodeSource;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.PortSnapshot;
import dev.verbena.verbs.RdmaDevice;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.MadProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class UmadProviderTest {
  @Test
  void theProviderIsFoundAsAService() {
    assertThat(ServiceLoader.load(MadProvider.class))
        .hasAtLeastOneElementOfType(UmadProvider.class);
    assertThat(ServiceLoader.load(NodeProvider.class))
        .hasAtLeastOneElementOfType(UmadProvider.class);
  }

  @Test
  void withoutTheLibraryOrTheKernelsFilesThereAreNoNodes() {
    if (!Libibumad.mayFindNodes()) {
      assertThat(new UmadProvider().devices()).isEmpty();
    }
  }

  @Test
  void aPortThatIsNotThereIsNamedAndSoIsAMissingLibrary() {
    EndPort port = new RdmaDevice("nosuch_0", new OnePort()).endPort(1);
    assertThat(new UmadProvider().reaches(port)).isFalse();
    assertThatThrownBy(() -> new UmadProvider().open(port))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(
            Libibumad.isAvailable() ? "port 1 of nosuch_0" : "Debian: libibumad3");
  }

  @Test
  void whereTheLibraryCannotBeCalledNothingElseChanges() throws Exception {
    String classes =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    ProcessBuilder child =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--illegal-native-access=deny",
            "-cp",
            classes,
            UmadVictim.class.getName());
    // As if a simulator were there, so that the library is asked although the kernel has no files.
    child.environment().put("LD_PRELOAD", "");
    Process process = child.redirectErrorStream(true).start();
    process.getOutputStream().close();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    assertThat(process.waitFor()).as("%s", lines).isZero();
    assertThat(lines).contains("nodes []", "devices []");
    assertThat(lines.stream().filter(line -> line.startsWith(Errno.ENOSYS + " ")))
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("umad_open_port", "cannot be called", "--enable-native-access"));
    assertThat(lines).noneMatch(line -> line.startsWith("available"));
  }

  /** A node of which nothing is known but that it has a port. */
  private static final class OnePort implements NodeSource {
    @Override
    public NodeSnapshot node() {
      Guid none = new Guid(0);
      return new NodeSnapshot(NodeType.CA, none, none, "", "", "", "", "", 1);
    }

    @Override
    public PortSnapshot port(int portNum) {
      throw new AssertionError("nobody asks for port " + portNum);
    }
  }
}
