package dev.verbena.tools.perf;

import dev.verbena.tools.kit.PeerOptions;
import dev.verbena.tools.kit.Ranges;
import dev.verbena.tools.kit.Refused;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the measuring tools about an end and its queue pairs, with perftest's names. */
final class EndOptions {
  private static final int RX_DEPTH = 512;
  private static final int MOST_IN_QUEUE = 1 << 20;

  private final Verb verb;

  @Mixin private final PeerOptions peer = new PeerOptions();

  @Option(
      names = {"-c", "--connection"},
      paramLabel = "SERVICE",
      defaultValue = "RC",
      description =
          "Transport service: RC, UC (send and write), UD (send) (default: ${DEFAULT-VALUE}).")
  private String connection = "RC";

  @Option(
      names = {"-x", "--gid-index"},
      paramLabel = "INDEX",
      defaultValue = "0",
      description = "Index of the local GID (default: ${DEFAULT-VALUE}, the device's address).")
  private int gidIndex;

  @Option(
      names = {"-S", "--sl"},
      paramLabel = "SL",
      defaultValue = "0",
      description = "Service level, 0 to 15 (default: ${DEFAULT-VALUE}).")
  private int serviceLevel;

  @Option(
      names = {"-m", "--mtu"},
      paramLabel = "BYTES",
      description =
          "Path MTU: 256, 512, 1024, 2048 or 4096 (default: the port's). The smaller of both ends"
              + " is used.")
  private @Nullable Integer mtu;

  @Option(
      names = {"-u", "--qp-timeout"},
      paramLabel = "CODE",
      defaultValue = "14",
      description =
          "Local ACK timeout, 4 us * 2^CODE; 0 means for ever (default: ${DEFAULT-VALUE}, 67 ms).")
  private int qpTimeout;

  @Option(
      names = {"-o", "--outs"},
      paramLabel = "COUNT",
      description =
          "Read and atomic: requests in flight on a queue pair (default: the device's maximum).")
  private @Nullable Integer outReads;

  @Option(
      names = {"-A", "--atomic_type"},
      paramLabel = "TYPE",
      description = "Atomic: FETCH_AND_ADD (default) or CMP_AND_SWAP.")
  private @Nullable Atomic atomic;

  @Option(
      names = {"-I", "--inline_size"},
      paramLabel = "BYTES",
      description = "Send and write: messages of up to this many bytes are inline (default: 0).")
  private @Nullable Integer inline;

  @Option(
      names = {"-r", "--rx-depth"},
      paramLabel = "DEPTH",
      description = "Send: receives posted on a queue pair (default: " + RX_DEPTH + ").")
  private @Nullable Integer rxDepth;

  @Option(names = "--use-srq", description = "Send: share one receive queue among the queue pairs.")
  private boolean sharedReceives;

  @Option(
      names = {"-e", "--events"},
      description = "Sleep until the completion queue raises an event, instead of polling it.")
  private boolean events;

  @Option(
      names = {"-R", "--rdma_cm"},
      hidden = true,
      description = "Refused: queue pairs of the connection manager.")
  private boolean connectionManager;

  @Option(
      names = {"-z", "--comm_rdma_cm"},
      hidden = true,
      description = "Refused: connecting with the connection manager.")
  private boolean meetingByManager;

  @Option(
      names = {"-g", "--mcg"},
      hidden = true,
      description = "Refused: multicast.")
  private boolean multicast;

  EndOptions(Verb verb) {
    this.verb = verb;
  }

  /** Accepted only so that command lines of the C programs work. */
  @Option(
      names = {"-F", "--CPU-freq"},
      description = "Ignored: without it the C programs complain about changing frequencies.")
  void allowAnyFrequency(boolean allowed) {}

  /** Rejects options that are out of range or not for this verb. */
  void check() {
    Refused.check(connectionManager, "-R (--rdma_cm)", "the RDMA connection manager");
    Refused.check(meetingByManager, "-z (--comm_rdma_cm)", "the RDMA connection manager");
    Refused.check(multicast, "-g (--mcg)", "multicast");
    peer.check();
    Ranges.check("--gid-index", gidIndex, 0, Integer.MAX_VALUE);
    Ranges.check("--sl", serviceLevel, 0, 15);
    Ranges.check("--qp-timeout", qpTimeout, 0, 31);
    checkVerb(outReads != null, "--outs", verb.fetches(), "read and atomic");
    checkVerb(atomic != null, "--atomic_type", verb == Verb.ATOMIC, "atomic");
    checkVerb(inline != null, "--inline_size", !verb.fetches(), "send and write");
    checkVerb(rxDepth != null, "--rx-depth", verb == Verb.SEND, "send");
    checkVerb(sharedReceives, "--use-srq", verb == Verb.SEND, "send");
    Ranges.check("--inline_size", inline(), 0, MOST_IN_QUEUE);
    Ranges.check("--rx-depth", rxDepth(), 1, MOST_IN_QUEUE);
    if (outReads != null) {
      Ranges.check("--outs", outReads, 1, 0xffff);
    }
    service();
    mtu(Mtu.MTU_4096);
  }

  private void checkVerb(boolean given, String option, boolean known, String verbs) {
    if (given && !known) {
      throw ToolException.usage(option + " is for the tools of " + verbs);
    }
  }

  PeerOptions peer() {
    return peer;
  }

  /** The transport service; wrong usage if it does not support the verb. */
  QpType service() {
    return verb.services().stream()
        .filter(each -> each.name().equals(connection))
        .findFirst()
        .orElseThrow(
            () ->
                ToolException.usage(
                    "--connection=%s is not one of %s, which support this measurement"
                        .formatted(connection, verb.services())));
  }

  int gidIndex() {
    return gidIndex;
  }

  int serviceLevel() {
    return serviceLevel;
  }

  /** The path MTU that this end requests, at most its port's. */
  Mtu mtu(Mtu ofPort) {
    if (mtu == null) {
      return ofPort;
    }
    try {
      Mtu asked = Mtu.ofBytes(mtu);
      return asked.compareTo(ofPort) < 0 ? asked : ofPort;
    } catch (VerbsException e) {
      throw ToolException.usage("--mtu=" + mtu + " is not one of 256, 512, 1024, 2048, 4096");
    }
  }

  int qpTimeout() {
    return qpTimeout;
  }

  /** READs and atomics in flight; {@code most} if not given. */
  int outReads(int most) {
    return outReads == null ? most : outReads;
  }

  Atomic atomic() {
    return atomic == null ? Atomic.FETCH_AND_ADD : atomic;
  }

  int inline() {
    return inline == null ? 0 : inline;
  }

  int rxDepth() {
    return rxDepth == null ? RX_DEPTH : rxDepth;
  }

  boolean sharesReceives() {
    return sharedReceives;
  }

  boolean events() {
    return events;
  }
}
