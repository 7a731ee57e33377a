package dev.verbena.tools.kit;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Files that a command writes at its end, which may be long after its begin. */
public final class ResultFiles {
  /**
   * Rejects a file in a folder that does not exist, as wrong usage.
   *
   * @param file null if the option was not given
   */
  public static void check(String option, @Nullable Path file) {
    Path folder = file == null ? null : file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw ToolException.usage("%s=%s: there is no folder %s".formatted(option, file, folder));
    }
  }

  private ResultFiles() {}
}
