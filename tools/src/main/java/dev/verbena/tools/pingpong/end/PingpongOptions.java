package dev.verbena.tools.pingpong.end;

import dev.verbena.tools.kit.PeerOptions;
import dev.verbena.tools.kit.Ranges;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of all ping-pong tools, with the names that libibverbs' examples use. */
public final class PingpongOptions {
  @Mixin private final PeerOptions peer = new PeerOptions();

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

  /** Checks the ranges, which the option parser does not know. */
  public void check() {
    peer.check();
    Ranges.check("--sl", serviceLevel, 0, 15);
    Ranges.check("--gid-idx", gidIndex, 0, Integer.MAX_VALUE);
  }

  /** The other end, and the device. */
  public PeerOptions peer() {
    return peer;
  }

  public boolean isClient() {
    return peer.isClient();
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
  public Duration patience() {
    return peer.patience();
  }
}
