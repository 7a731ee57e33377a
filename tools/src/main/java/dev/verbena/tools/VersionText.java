package dev.verbena.tools;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The text of {@code --version}. Maven stores the version in the jar. */
final class VersionText implements IVersionProvider {
  private static final String PROPERTIES =
      "/META-INF/maven/dev.verbena/verbena-tools/pom.properties";

  @Override
  public String[] getVersion() {
    return new String[] {
      "verbena " + version(),
      "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
    };
  }

  private static String version() {
    try (InputStream in = VersionText.class.getResourceAsStream(PROPERTIES)) {
      if (in == null) {
        return "(development build)";
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version", "(development build)");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
