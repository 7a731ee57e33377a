package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.DeviceOption;
import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.DeviceSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What all ping-pong tools can be told, by the names that libibverbs' examples use. */
@Command(optionListHeading = "%nOptions:%n", footerHeading = "%nExample, in two terminals:%n")
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

  @Mixin private final DeviceOption device = new DeviceOption();

  @Option(
      names = {"-i", "--ib-port"},
      paramLabel = "PORT",
      defaultValue = "1",
      description = "Port of the device (default: ${DEFAULT-VALUE}).")
  private int ibPort;

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
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description =
          "Fail if the peer stays silent for this long (default: ${DEFAULT-VALUE}); 0 waits for"
              + " ever, as the C tool does.")
  private int timeoutSeconds;

  /** Checks the ranges that the option parser does not know. */
  void check() {
    Ranges.check("--port", port, 0, 65535);
    Ranges.check("--ib-port", ibPort, 1, 255);
    Ranges.check("--sl", serviceLevel, 0, 15);
    Ranges.check("--gid-idx", gidIndex, 0, Integer.MAX_VALUE);
    Ranges.check("--timeout", timeoutSeconds, 0, 1_000_000);
    if (host != null && port == 0) {
      throw ToolException.usage("--port=0 is for the server; give the client the port it printed");
    }
  }

  @Nullable String host() {
    return host;
  }

  boolean isClient() {
    return host != null;
  }

  int port() {
    return port;
  }

  DeviceSpec device() {
    return device.spec();
  }

  int ibPort() {
    return ibPort;
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

  /** How long to wait for the peer; zero waits for ever. */
  Duration patience() {
    return Duration.ofSeconds(timeoutSeconds);
  }
}
