package dev.verbena.tools.pingpong;

import dev.verbena.tools.ToolException;
import dev.verbena.verbs.DeviceSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What all ping-pong tools can be told, by the names that libibverbs' examples use. */
final class PingpongOptions {
  @Parameters(
      arity = "0..1",
      paramLabel = "HOST",
      description = "The server to connect to. Without it, this is the server.")
  private @Nullable String host;

  @Option(
      names = {"-p", "--port"},
      paramLabel = "PORT",
      defaultValue = "18515",
      description =
          "TCP port over which the two ends meet (default: ${DEFAULT-VALUE}); 0 lets the server"
              + " take a free one and print it.")
  private int port;

  @Option(
      names = {"-d", "--ib-dev"},
      paramLabel = "DEVICE",
      defaultValue = "soft0",
      description = "The device, as soft0 or soft:ADDRESS (default: ${DEFAULT-VALUE}).")
  private DeviceSpec device = DeviceSpec.named("soft0");

  @Option(
      names = {"-i", "--ib-port"},
      paramLabel = "PORT",
      defaultValue = "1",
      description = "Port of the device (default: ${DEFAULT-VALUE}).")
  private int ibPort;

  @Option(
      names = {"-r", "--rx-depth"},
      paramLabel = "DEPTH",
      defaultValue = "500",
      description = "Receives posted at a time (default: ${DEFAULT-VALUE}).")
  private int rxDepth;

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "COUNT",
      defaultValue = "1000",
      description = "Exchanges (default: ${DEFAULT-VALUE}). Give both ends the same.")
  private int iters;

  @Option(
      names = {"-l", "--sl"},
      paramLabel = "SL",
      defaultValue = "0",
      description = "Service level, 0 to 15 (default: ${DEFAULT-VALUE}).")
  private int serviceLevel;

  @Option(
      names = {"-e", "--events"},
      description = "Sleep until the completion queue raises an event, instead of polling.")
  private boolean events;

  @Option(
      names = {"-g", "--gid-idx"},
      paramLabel = "INDEX",
      defaultValue = "0",
      description =
          "Index of the local GID (default: ${DEFAULT-VALUE}, the device's address; the C tool"
              + " has no default and fails on RoCE without one).")
  private int gidIndex;

  @Option(
      names = {"-c", "--chk"},
      description =
          "Check received data. Give it to both ends; the server checks, and prints what is"
              + " wrong. As with the C tool, the exit code stays 0.")
  private boolean check;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "Fail if the peer keeps silent for so long (default: ${DEFAULT-VALUE}); 0 waits for"
              + " ever, as the C tool.")
  private int timeoutSeconds;

  /** Checks the ranges that the option parser does not know. */
  void check() {
    range("--port", port, 0, 65535);
    range("--ib-port", ibPort, 1, 255);
    range("--rx-depth", rxDepth, 1, Integer.MAX_VALUE - 1);
    range("--iters", iters, 1, Integer.MAX_VALUE);
    range("--sl", serviceLevel, 0, 15);
    range("--gid-idx", gidIndex, 0, Integer.MAX_VALUE);
    range("--timeout", timeoutSeconds, 0, 1_000_000);
    if (host != null && port == 0) {
      throw ToolException.usage("--port=0 is for the server; give the client the port it printed");
    }
  }

  /** Refuses an option value out of its range. */
  static void range(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw ToolException.usage("%s=%d is not in %d to %d".formatted(option, value, least, most));
    }
  }

  @Nullable String host() {
    return host;
  }

  int port() {
    return port;
  }

  DeviceSpec device() {
    return device;
  }

  int ibPort() {
    return ibPort;
  }

  int rxDepth() {
    return rxDepth;
  }

  int iters() {
    return iters;
  }

  int serviceLevel() {
    return serviceLevel;
  }

  boolean events() {
    return events;
  }

  int gidIndex() {
    return gidIndex;
  }

  boolean checksData() {
    return check;
  }

  /** How long to wait for the peer; zero waits for ever. */
  Duration patience() {
    return Duration.ofSeconds(timeoutSeconds);
  }
}
