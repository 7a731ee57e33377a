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

/** A request, from its first datagram to its end. Its fields are those of {@link Transactions}. */
final class Transaction {
  /** The longest time that an agent is given, a day; a path may say centuries. */
  static final Duration MAX_TIMEOUT = Duration.ofDays(1);

  final MadAddress to;
  final MemorySegment request;

  /** How long an agent is given, at most {@link #MAX_TIMEOUT}. */
  final Duration timeout;

  final BiConsumer<@Nullable MadReply, @Nullable RdmaException> whenDone;

  /** How many retries are left. */
  int triesLeft;

  /** The lower half of its transaction ID. */
  int id;

  /** When the agent has had its time, by the clock that the machine is given. */
  long deadline;

  final RmppReceiver segments;

  private final String what;
  private final int tries;

  /**
   * @param request its datagram, which is the machine's from now on
   * @param timeout how long an answer may take; {@link #MAX_TIMEOUT} counts if it is longer
   * @param retries how often to ask again
   * @param maxBytes most bytes of an answer in segments
   * @param whenDone takes the answer or why there is none, once
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

  /** Whether a datagram with its transaction ID is its answer. */
  boolean isAnsweredBy(MemorySegment mad) {
    long method = MadHeader.METHOD.get(request, 0);
    return MadHeader.METHOD.get(mad, 0) == MadMethod.answerTo((int) method)
        && MadHeader.MGMT_CLASS.get(mad, 0) == MadHeader.MGMT_CLASS.get(request, 0)
        && MadHeader.ATTRIBUTE_ID.get(mad, 0) == MadHeader.ATTRIBUTE_ID.get(request, 0);
  }

  MadException timedOut() {
    return new MadException(
        MadException.Kind.TIMEOUT,
        "%s: no answer from %s, asked %d times and given %d ms each"
            .formatted(what, text(to), tries, timeout.toMillis()),
        0);
  }

  /** Of what neither network nor agent is to blame for, as a trace that throws. */
  VerbsException notSent(RuntimeException cause) {
    return new VerbsException(
        "mad", Errno.EIO, "%s was not sent to %s: %s".formatted(what, text(to), cause), cause);
  }

  MadException rmppFailed(int status) {
    return new MadException(
        MadException.Kind.PROTOCOL,
        "%s: the answer of %s in segments ended with RMPP status %d"
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
