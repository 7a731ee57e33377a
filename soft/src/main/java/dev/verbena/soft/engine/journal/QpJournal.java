package dev.verbena.soft.engine.journal;

import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.transport.Journal;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.RefusedRequest;
import dev.verbena.soft.transport.RefusedRequest.Cause;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.RnrTimer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import jdk.jfr.FlightRecorder;

/**
 * Logs and records what a queue pair reports. It logs every refusal that ends the queue pair, since
 * the program must reset it before there can be another. A peer can cause dropped requests at will,
 * so these are logged the 1st, 2nd, 4th, 8th time and so on, for each cause and over all senders,
 * so that nobody can fill the disk. DEBUG messages, such as each NAK and retry, have no limit.
 */
public final class QpJournal implements Journal {
  private static final Logger LOG = System.getLogger("dev.verbena.soft.qp");

  private final String device;
  private final QpParameters parameters;
  private final Failures failures;
  private final Logger log;

  /** Drops since RTR, by the ordinal of their cause; under the responder guard. */
  private final long[] drops = new long[Cause.values().length];

  /**
   * @param device its name, for messages
   * @param parameters of the queue pair
   * @param failures receives failures to log a line
   */
  public QpJournal(String device, QpParameters parameters, Failures failures) {
    this(device, parameters, failures, LOG);
  }

  QpJournal(String device, QpParameters parameters, Failures failures, Logger log) {
    this.device = device;
    this.parameters = parameters;
    this.failures = failures;
    this.log = log;
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // an EnumMap of numbers allocates one each time
  public void refused(RefusedRequest request) {
    try {
      if (isRecording()) {
        Party party =
            new Party(device, parameters.qpNum, request.peerAddress(), request.peerQpNum());
        new RefusedRequestEvent(party, request).commit();
      }
      long count = request.isEnd() ? 1 : ++drops[request.cause().ordinal()];
      Level level = level(request);
      if (Long.bitCount(count) == 1 && log.isLoggable(level)) {
        log.log(level, line(request, count));
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // as in refused
  public void dump(StringBuilder text) {
    String before = "  dropped:   ";
    for (Cause cause : Cause.values()) {
      long count = drops[cause.ordinal()];
      if (count > 0) {
        text.append(before).append(count).append(' ').append(cause);
        before = ", ";
      }
    }
    if (Arrays.stream(drops).anyMatch(count -> count > 0)) {
      text.append('\n');
    }
  }

  @Override
  public void changed(QpState from, QpState to) {
    if (to == QpState.RTR) {
      // A new connection: drops of the last peer must not silence those of this one.
      Arrays.fill(drops, 0);
    }
    try {
      if (isRecording()) {
        new StateChangeEvent(party(), from, to).commit();
      }
      if (log.isLoggable(Level.DEBUG)) {
        log.log(Level.DEBUG, name() + from + " -> " + to);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  @Override
  public void sendsAgain(int psn, boolean silence) {
    RetryReason why = silence ? RetryReason.TIMEOUT : RetryReason.GAP;
    try {
      if (isRecording()) {
        new RetransmissionEvent(party(), psn, why).commit();
      }
      if (log.isLoggable(Level.DEBUG)) {
        log.log(Level.DEBUG, name() + "sends again from psn " + psn + ": " + why.text());
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  @Override
  public void nak(int psn, int syndrome, boolean sent) {
    try {
      if (isRecording()) {
        nakEvent(psn, syndrome, sent).commit();
      }
      if (log.isLoggable(Level.DEBUG)) {
        log.log(Level.DEBUG, name() + (sent ? "sent " : "received ") + nakLine(psn, syndrome));
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private QpEvent nakEvent(int psn, int syndrome, boolean sent) {
    return AethSyndrome.isRnr(syndrome)
        ? new ReceiverNotReadyEvent(party(), psn, waitNanos(syndrome), sent)
        : new NakEvent(party(), psn, NakReason.of(syndrome), sent);
  }

  private static String nakLine(int psn, int syndrome) {
    return AethSyndrome.isRnr(syndrome)
        ? "RNR NAK psn " + psn + ", wait " + waitNanos(syndrome) / 1000 + " us"
        : "NAK psn " + psn + ": " + NakReason.of(syndrome).text();
  }

  private static long waitNanos(int rnrSyndrome) {
    return RnrTimer.nanos(AethSyndrome.code(rnrSyndrome));
  }

  /** The queue pair as the subject of its own events. */
  private Party party() {
    String peer = parameters.hasPeer() ? parameters.peer.toString() : "";
    return new Party(device, parameters.qpNum, peer, parameters.destQpn);
  }

  /**
   * Whether events are recorded. Event classes are not touched before, because preparing them takes
   * long in a new process.
   */
  private static boolean isRecording() {
    return FlightRecorder.isInitialized();
  }

  /** Records the failure; the queue pair goes on without the line or the event. */
  private void failed(Throwable cause) {
    failures.addOfQp("telling of", parameters.qpNum, cause);
  }

  private String name() {
    return device + " QP 0x" + Integer.toHexString(parameters.qpNum) + ": ";
  }

  /** The level: high for the end of a queue pair, low for a missing receive. */
  private static Level level(RefusedRequest request) {
    if (request.isEnd()) {
      return Level.WARNING;
    }
    return request.cause() == Cause.NO_RECEIVE ? Level.DEBUG : Level.INFO;
  }

  private String line(RefusedRequest request, long count) {
    String line = name() + request;
    return count == 1 ? line : line + " (" + count + " times so far)";
  }
}
