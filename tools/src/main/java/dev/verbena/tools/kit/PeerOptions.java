package dev.verbena.tools.kit;

import dev.verbena.verbs.DeviceSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options of the two-ended tools about the peer and the device, as in the C programs. */
@Command(optionListHeading = "%nOptions:%n", footerHeading = "%nExample, in two terminals:%n")
public final class PeerOptions {
  private static final int DEFAULT_SECONDS = 30;

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
          "TCP port on which the two ends meet (default: ${DEFAULT-VALUE}); with 0 the server takes"
              + " a free one and prints it.")
  private int port;

  @Mixin private final DeviceOption device = new DeviceOption();

  @Option(
      names = {"-i", "--ib-port"},
      paramLabel = "PORT",
      defaultValue = "1",
      description = "Port of the device (default: ${DEFAULT-VALUE}).")
  private int ibPort;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description =
          "Fail if the peer stays silent for this long (default: "
              + DEFAULT_SECONDS
              + ", but a server waits for its client for ever); 0 waits for ever, as the C tool"
              + " does.")
  private @Nullable Integer timeoutSeconds;

  /** Checks the ranges, which the option parser does not know. */
  public void check() {
    Ranges.check("--port", port, 0, 65535);
    Ranges.check("--ib-port", ibPort, 1, 255);
    if (timeoutSeconds != null) {
      Ranges.check("--timeout", timeoutSeconds, 0, 1_000_000);
    }
    if (host != null && port == 0) {
      throw ToolException.usage("--port=0 is for the server; give the client the port it printed");
    }
  }

  /** The server's host; null if this is the server. */
  public @Nullable String host() {
    return host;
  }

  /** Whether this is the client. */
  public boolean isClient() {
    return host != null;
  }

  /** The TCP port. */
  public int port() {
    return port;
  }

  /** The device. */
  public DeviceSpec device() {
    return device.spec();
  }

  /** Its port. */
  public int ibPort() {
    return ibPort;
  }

  /** How long to wait for the peer; zero waits for ever. */
  public Duration patience() {
    return Duration.ofSeconds(timeoutSeconds == null ? DEFAULT_SECONDS : timeoutSeconds);
  }

  /** Opens the connection to the peer: connects to it, or waits for it. */
  public SideChannel meet(PrintWriter out) throws IOException {
    if (host != null) {
      return SideChannel.connect(host, port, patience());
    }
    try (SideChannelServer server = listen(1, out)) {
      return server.acceptOnly(patience());
    }
  }

  /**
   * The server's TCP port. A user who starts the server first may take any time for the client, so
   * only a time-out that was asked for limits the wait for it.
   */
  public SideChannelServer listen(int clients, PrintWriter out) throws IOException {
    SideChannelServer server = SideChannelServer.listen(port, clients, out);
    if (timeoutSeconds != null) {
      server.waitFor(timeoutSeconds);
    }
    return server;
  }
}
