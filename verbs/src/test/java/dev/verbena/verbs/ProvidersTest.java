package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a provider that is declared but cannot be loaded. */
class ProvidersTest {
  @TempDir private Path directory;

  @Test
  void whereNoneIsAnnouncedThereIsNone() throws IOException {
    try (URLClassLoader loader = loader()) {
      assertThat(new Providers<>("openDevice", ServiceLoader.load(VerbsProvider.class, loader)))
          .isEmpty();
    }
  }

  @Test
  void oneWithoutAClassIsEioAndNamed() throws IOException {
    announce("com.example.Absent");
    try (URLClassLoader loader = loader()) {
      assertBroken(loader, "com.example.Absent");
    }
  }

  @Test
  void aFileThatNamesNoClassIsEioAndNamed() throws IOException {
    announce("no class name");
    try (URLClassLoader loader = loader()) {
      assertBroken(loader, directory.getFileName().toString());
    }
  }

  private static void assertBroken(ClassLoader loader, String name) {
    assertThatThrownBy(
            () ->
                new Providers<>("openDevice", ServiceLoader.load(VerbsProvider.class, loader))
                    .iterator()
                    .next())
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO))
        .hasCauseInstanceOf(ServiceConfigurationError.class)
        .hasMessageStartingWith("openDevice: a provider cannot be loaded: ")
        .hasMessageContaining(name);
  }

  private void announce(String className) throws IOException {
    Path services = Files.createDirectories(directory.resolve("META-INF").resolve("services"));
    Files.writeString(services.resolve(VerbsProvider.class.getName()), className);
  }

  private URLClassLoader loader() throws IOException {
    return new URLClassLoader(
        new URL[] {directory.toUri().toURL()}, Devices.class.getClassLoader());
  }
}
