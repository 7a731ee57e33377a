package dev.verbena.tck.kit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A file system of a few megabytes that a separate process can fill without harm. */
public final class SmallFileSystem {
  private static final String MOUNT =
      "truncate -s 4M \"$0/image\" && mkfs.ext4 -q -m 0 -O ^has_journal \"$0/image\""
          + " && mkdir -p \"$0/mounted\" && mount -o loop \"$0/image\" \"$0/mounted\""
          + " && exec \"$@\"";

  /** Skips the test if this computer does not let it make one. */
  public static void require(Path folder) throws InterruptedException {
    assumeTrue(
        isPossible(folder), "needs unshare -m, mkfs.ext4 and loop devices, to fill a file system");
  }

  private static boolean isPossible(Path folder) throws InterruptedException {
    try (ChildProcess probe = ChildProcess.run(within(folder, List.of("true")))) {
      return probe.exitCode() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  /** The command, with a new one mounted at {@link #mounted}, visible to it alone. */
  public static List<String> within(Path folder, List<String> command) {
    List<String> all = new ArrayList<>(List.of("unshare", "-m", "sh", "-c", MOUNT));
    all.add(folder.toString());
    all.addAll(command);
    return all;
  }

  /** Where the command finds it. */
  public static Path mounted(Path folder) {
    return folder.resolve("mounted");
  }

  private SmallFileSystem() {}
}
