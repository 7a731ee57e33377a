package dev.verbena.soft.engine.journal;

import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.transport.Journal;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.RefusedRequest;
import dev.verbena.soft.transport.RefusedRequest.Cause;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.Map;

/**
 * Logs what a queue pair tells. What a peer can bring about as often as it likes is logged at the
 * 1st, 2nd, 4th, 8th time and so on, for each cause: nobody fills the disk by it.
 */
public final class QpJournal implements Journal {
  private static final Logger LOG = System.getLogger("dev.verbena.soft.qp");

  private final String device;
  private final QpParameters parameters;
  private final Failures failures;
  private final Logger log;

  /** How many; under the responder guard. */
  private final Map<Cause, Long> refusals = new EnumMap<>(Cause.class);

  /**
   * @param device its name, for messages
   * @param parameters of the queue pair
   * @param failures where it is noted if a line cannot be logged
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
  public void refused(RefusedRequest request) {
    try {
      long count = refusals.merge(request.cause(), 1L, Long::sum);
      Level level = level(request);
      if (Long.bitCount(count) == 1 && log.isLoggable(level)) {
        log.log(level, line(request, count));
      }
    } catch (RuntimeException | Error e) {
      // The queue pair goes on without the line.
      failures.add("logging for QP", parameters.qpNum(), e);
    }
  }

  /** The end of a queue pair is told; that nobody has posted a receive is no news. */
  private static Level level(RefusedRequest request) {
    if (request.isEnd()) {
      return Level.WARNING;
    }
    return request.cause() == Cause.NO_RECEIVE ? Level.DEBUG : Level.INFO;
  }

  private String line(RefusedRequest request, long count) {
    String line = device + " QP 0x" + Integer.toHexString(parameters.qpNum()) + ": " + request;
    return count == 1 ? line : line + " (" + count + " times so far)";
  }
}
