package dev.verbena.mad;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A request, from its first datagram to its end. {@link Transactions} manages its fields. */
final class Transaction {
  /** The longest timeout of an agent, a day; a path may say centuries. */
  static final Duration MAX_TIMEOUT = Duration.ofDays(1);

  final MadAddress to;
  final MemorySegment request;

  /** The agent's timeout, at most {@link #MAX_TIMEOUT}. */
  final Duration timeout;

  final BiConsumer<@Nullable MadReply, @Nullable RdmaException> whenDone;

  /** The number of retries left. */
  int triesLeft;

  /** The lower half of its transaction ID. */
  int id;

  /** When the agent's time is up, by the clock that the machine is given. */
  long deadline;

  final RmppReceiver segments;

  private final String what;
  private final int tries;

  /**
   * @param request its datagram, which belongs to the machine from now on
   * @param timeout how long a response may take, limited to {@link #MAX_TIMEOUT}
   * @param retries how often to repeat the request
   * @param maxBytes maximum length of a segmented response in bytes
   * @param whenDone receives the response or the reason why there is none, once
   */
  Transaction(
      String what,
      MadAddress to,
      MemorySegment request,
      Duration timeout,
      int retries,
      int maxBytes,
      BiConsumer<@Nullable MadReply, @Nullable RdmaException> whenDone) {
    this.what = what;
    this.to = to;
    this.request = request;
    this.timeout = timeout.compareTo(MAX_TIMEOUT) < 0 ? timeout : MAX_TIMEOUT;
    this.tries = retries + 1;
    this.triesLeft = tries;
    this.segments = new RmppReceiver((int) MadHeader.MGMT_CLASS.get(request, 0), maxBytes);
    this.whenDone = whenDone;
  }

  /** Whether a datagram with its transaction ID is its response. */
  boolean isAnsweredBy(MemorySegment mad) {
    long method = MadHeader.METHOD.get(request, 0);
    return MadHeader.METHOD.get(mad, 0) == MadMethod.answerTo((int) method)
        && MadHeader.MGMT_CLASS.get(mad, 0) == MadHeader.MGMT_CLASS.get(request, 0)
        && MadHeader.ATTRIBUTE_ID.get(mad, 0) == MadHeader.ATTRIBUTE_ID.get(request, 0);
  }

  MadException timedOut() {
    return new MadException(
        MadException.Kind.TIMEOUT,
        "%s: no response from %s, sent %d times with a timeout of %d ms each"
            .formatted(what, text(to), tries, timeout.toMillis()),
        0);
  }

  /** The failure of a request for local reasons, such as a trace that throws. */
  VerbsException notSent(RuntimeException cause) {
    return new VerbsException(
        "mad", Errno.EIO, "%s was not sent to %s: %s".formatted(what, text(to), cause), cause);
  }

  MadException rmppFailed(int status) {
    return new MadException(
        MadException.Kind.PROTOCOL,
        "%s: the segmented response of %s ended with RMPP status %d"
            .formatted(what, text(to), status),
        0);
  }

  private static String text(MadAddress address) {
    String where =
        address.route().isGlobal()
            ? "GID " + address.route().dgid()
            : "LID " + address.route().dlid();
    return where + ", queue pair " + address.qpn();
  }
}
