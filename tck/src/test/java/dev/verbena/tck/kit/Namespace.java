package dev.verbena.tck.kit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Network namespaces, in which interfaces can be made and removed without harm. */
public final class Namespace {

  /** Skips the test if this computer does not let it make a network namespace. */
  public static void require() throws InterruptedException {
    assumeTrue(isPossible(), "needs unshare -n and ip, to make network interfaces without harm");
  }

  private static boolean isPossible() throws InterruptedException {
    try (ChildProcess probe =
        ChildProcess.run(
            within(List.of("ip", "link", "add", "near", "type", "veth", "peer", "name", "far")))) {
      return probe.exitCode() == 0;
    } catch (IOException absent) {
      return false;
    }
  }

  /** The command, in its own network namespace, whose loopback interface is up. */
  public static List<String> within(List<String> command) {
    // A JVM that finds no IPv6 address at startup does not use IPv6.
    String script = "ip link set lo up && exec \"$@\"";
    List<String> all = new ArrayList<>(List.of("unshare", "-n", "sh", "-c", script, "sh"));
    all.addAll(command);
    return all;
  }

  /** Runs ip, in a process with its own namespace. */
  public static void ip(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments));
    int exitCode = new ProcessBuilder(command).inheritIO().start().waitFor();
    if (exitCode != 0) {
      throw new IOException(command + " ended with " + exitCode);
    }
  }

  /** Adds an address to an interface that can be used immediately. */
  public static void address(String prefix, String device)
      throws IOException, InterruptedException {
    if (prefix.contains(":")) {
      ip("addr", "add", prefix, "dev", device, "nodad");
    } else {
      ip("addr", "add", prefix, "dev", device);
    }
  }

  private Namespace() {}
}
