package dev.verbena.soft.transport.requester;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.CongestionControl;
import dev.verbena.soft.transport.Journal;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpEvents;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.Tally;
import dev.verbena.soft.transport.Unlimited;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.wire.AckTimeout;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RnrTimer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of requester and completer: the queue, its progress, the retry counters and the
 * timer, and the completion of requests. Used under the requester guard.
 */
final class SendState {
  private static final int RNR_UNLIMITED = 7;

  /** How often a request is sent within one time-out, if more than once. */
  private static final int TRIES = 4;

  /** What a queue pair without a peer asks. */
  private static final CongestionControl NOBODY = new Unlimited();

  private static final VarHandle DEADLINE;

  static {
    try {
      DEADLINE = MethodHandles.lookup().findVarHandle(SendState.class, "deadline", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Service service;
  private final QpParameters parameters;
  private final QpStatus status;
  private final SendQueue queue;
  private final CompletionRing ring;
  private final Tally tally;
  private final QpEvents events;
  private final Journal journal;
  private final Clock clock;

  /** Reports what succeeds: its status and vendor_err never change. */
  private final WorkCompletion success = new WorkCompletion();

  private final WorkCompletion failure = new WorkCompletion();
  private final FailedSend failed = new FailedSend();

  /** How far it has come. */
  final SendProgress progress;

  /** How many messages the peer has receives for. */
  final Credits credits = new Credits();

  /** The last PSN of the last complete request that is answered by an ACK, modulo 2²⁴. */
  private int lastAcknowledged;

  /** Requests with a response that were sent and are not complete. */
  int readsOutstanding;

  private int retries;
  private int rnrRetries;

  /** Whether nothing is sent for the time that the peer has asked for, to post a receive. */
  boolean rnrWaiting;

  private boolean retrying;
  private int retryPsn;

  /** Whether the peer has ever answered on this connection. */
  private boolean peerIsThere;

  /** Whether the timer has expired since the peer last answered something new. */
  private boolean expired;

  /** How often a request was sent again in silence since the peer last answered something new. */
  private int tries;

  /** When the next retry is spent; {@link #deadline} may be earlier. */
  private long retryAt = Clock.NEVER;

  private CongestionControl congestion = NOBODY;

  /** Whether {@link #answerTime} is kept up to date. */
  private boolean timed;

  private final AnswerTime answerTime = new AnswerTime();
  private int arrivedBefore;

  /** Written through DEADLINE, as others look at it. */
  private long deadline = Clock.NEVER;

  SendState(QpCore core, SendQueue queue, CompletionRing ring) {
    service = core.service();
    parameters = core.parameters();
    status = core.status();
    tally = core.tally();
    events = core.events();
    journal = core.journal();
    clock = core.clock();
    this.queue = queue;
    this.ring = ring;
    progress = new SendProgress(queue);
    success.qpNum(parameters.qpNum);
    failure.qpNum(parameters.qpNum);
  }

  /** When {@link #expire} is due; any thread may call this, and gets a recent value. */
  long deadline() {
    return (long) DEADLINE.getOpaque(this);
  }

  /** From now on asks this what may be in flight. */
  void connect(CongestionControl control) {
    congestion.end();
    congestion = control;
    timed = false;
  }

  /** Nothing will be in flight any more. */
  void disconnect() {
    connect(NOBODY);
  }

  /** Nothing is in flight at the moment. */
  void rest() {
    congestion.rest();
  }

  /** What may be in flight, of what the path takes. */
  int mostInFlight(int ofPath) {
    return congestion.limit(ofPath);
  }

  /** The network has marked packets on the way to the peer. */
  void congestionNotified() {
    tally.count(Counter.CONGESTION_NOTIFICATIONS_RECEIVED);
    congestionMet();
  }

  /** What was asked for has met congestion on its way here. */
  void congestionMet() {
    congestion.notified(clock.now());
  }

  /** Describes the spent retries and the timer for people. */
  void dump(StringBuilder text) {
    text.append(retries).append(" of ").append(parameters.retryCount).append(" spent, RNR ");
    text.append(rnrRetries).append(" of ");
    int most = parameters.rnrRetry;
    text.append(most == RNR_UNLIMITED ? "any number" : String.valueOf(most));
    long when = deadline();
    if (when == Clock.NEVER) {
      text.append(", no timer runs");
    } else {
      text.append(", timer in ").append(Math.max(0, when - clock.now()) / 1000).append(" us");
    }
  }

  void start(int psn) {
    progress.start(psn);
    credits.start();
    lastAcknowledged = psn - 1;
    arrivedBefore = psn;
    forgetRetries();
  }

  void reset() {
    queue.reset();
    clear();
    progress.start(0);
  }

  /** A READ, or another request with a response, has got its PSNs. */
  void readStarted() {
    readsOutstanding++;
  }

  /** Makes sure that a timer runs while something is unanswered. */
  void armIfIdle() {
    if (progress.sendPsn != progress.oldest && deadline == Clock.NEVER) {
      armRetransmission();
    }
  }

  /**
   * Whether a message for which the peer needs a receive may be sent. If not, one is sent all the
   * same when the peer has said nothing for some time after its last answer.
   */
  boolean mayStartMessage() {
    if (credits.admit()) {
      return true;
    }
    if (!progress.isUnanswered() && deadline == Clock.NEVER) {
      deadline(clock.now() + Credits.PATIENCE);
    }
    return false;
  }

  /**
   * An acknowledgement that says nothing new, unless the peer has posted receives.
   *
   * @return whether it has
   */
  boolean creditsGrow(int psn, int aeth) {
    if (!wasAcknowledgedLast(psn) || !credits.grow(aeth)) {
      return false;
    }
    if (!rnrWaiting && !progress.isUnanswered()) {
      deadline(Clock.NEVER);
    }
    return true;
  }

  /** Whether this is the PSN of the last ACK. */
  boolean wasAcknowledgedLast(int psn) {
    return psn == lastAcknowledgedPsn();
  }

  /**
   * The PSN that the peer repeats when it announces receives or its buffer. Whoever does not see
   * the packets has to guess it (docs/security.md).
   */
  private int lastAcknowledgedPsn() {
    SendWqe head = queue.published(queue.head);
    boolean within =
        head != null
            && head.started
            && !head.operation.hasResponse
            && Psn.diff(progress.oldest, head.firstPsn) > 0;
    return within ? Psn.add(progress.oldest, -1) : Psn.mask(lastAcknowledged);
  }

  /** The peer answered something new: counters start over, and so does the timer (S12.5.7). */
  void answered() {
    peerIsThere = true;
    if (controlListens()) {
      long now = clock.now();
      if (!retrying && !expired) {
        congestion.answeredIn(answerTime.ends(now));
      }
      congestion.arrived(Psn.diff(progress.oldest, arrivedBefore), now);
    }
    arrivedBefore = progress.oldest;
    forgetRetries();
    retrying = false;
    expired = false;
    tries = 0;
    if (!rnrWaiting) {
      armRetransmission();
    }
  }

  /**
   * The oldest request has succeeded. Also completes the following ones that were executed on this
   * side and waited for it, so that completions stay in order (S1.5.8).
   *
   * @return the oldest remaining request, or null
   */
  @Nullable SendWqe completeHead() {
    long number = queue.head;
    SendWqe wqe = queue.get(number);
    do {
      if (wqe.operation.hasResponse) {
        readsOutstanding--;
      } else if (wqe.psnCount > 0) {
        lastAcknowledged = wqe.firstPsn + wqe.psnCount - 1;
      }
      if (wqe.operation.takesReceive) {
        credits.ended();
      }
      queue.advanceHead();
      if (wqe.signaled) {
        reportSuccess(wqe, number);
      }
      number++;
      wqe = queue.published(queue.head);
    } while (wqe != null && wqe.isExecuted());
    return wqe;
  }

  /** This many of the oldest requests have succeeded, and no READ is outstanding. */
  void completeOldest(int count) {
    for (int i = 0; i < count; i++) {
      long number = queue.head;
      SendWqe wqe = queue.get(number);
      queue.advanceHead();
      if (wqe.signaled) {
        reportSuccess(wqe, number);
      }
    }
  }

  private void reportSuccess(SendWqe wqe, long number) {
    describe(wqe, success);
    report(success, number);
  }

  /**
   * The oldest request has failed: it completes with the reason, all others are flushed, and the
   * queue pair, or its send queue, is in error (S1.6.1, S1.6.2).
   */
  void failHead(WcStatus why, AccessFault fault) {
    long number = queue.head;
    SendWqe wqe = queue.get(number);
    describe(wqe, failure).status(why).vendorErr(fault.vendorErr(), AccessFault.WORDS);
    failed.of(wqe, why, fault);
    queue.advanceHead();
    // First the state, because a thread that polls the completion must not find the old one.
    status.failSends(service.stateAfterSendError(), failed);
    report(failure, number);
    flush();
  }

  /** Completes every request with WR_FLUSH_ERR, signaled or not. */
  void flush() {
    flushBefore(queue.tail());
    clear();
    progress.start(progress.sendPsn);
  }

  private void flushBefore(long end) {
    while (queue.head < end) {
      long number = queue.head;
      describe(queue.get(number), failure)
          .status(WcStatus.WR_FLUSH_ERR)
          .vendorErr(0, AccessFault.WORDS);
      queue.advanceHead();
      report(failure, number);
    }
  }

  /**
   * Sends again from a PSN, because its packet or its answer was lost, unless that is already under
   * way (S12.5.6).
   */
  void retryFrom(int psn) {
    if (retrying && retryPsn == psn) {
      return;
    }
    if (spendRetry()) {
      retrying = true;
      retryPsn = psn;
      congestion.lost(clock.now());
      progress.moveTo(psn);
      if (!rnrWaiting) {
        armRetransmission();
      }
      journal.sendsAgain(psn, /* silence= */ false);
    }
  }

  /** The peer had no receive: sends again from a PSN after the time that it specified (S12.5.8). */
  void waitForReceiver(int psn, int timerCode) {
    if (rnrWaiting) {
      return;
    }
    credits.refused();
    if (parameters.rnrRetry != RNR_UNLIMITED) {
      if (rnrRetries >= parameters.rnrRetry) {
        failHead(WcStatus.RNR_RETRY_EXC_ERR, AccessFault.NONE);
        return;
      }
      rnrRetries++;
    }
    // The peer is alive: waiting for its receiver must not use up the retries for lost packets.
    retries = 0;
    progress.moveTo(psn);
    rnrWaiting = true;
    deadline(clock.now() + RnrTimer.nanos(timerCode));
  }

  /** The timer may have expired: ends an RNR wait, or goes back to the oldest packet (S12.5.7). */
  void expire(long now) {
    if (now < deadline || status.state == QpState.ERR) {
      return;
    }
    if (rnrWaiting) {
      rnrWaiting = false;
      armRetransmission();
      return;
    }
    if (!progress.isUnanswered()) {
      deadline(Clock.NEVER);
      credits.ask();
      return;
    }
    if (now < retryAt) {
      if (!expired) {
        congestion.lost(clock.now());
      }
      progress.moveTo(progress.oldest);
      answerTime.triesAgain(now);
      tries++;
      armNextTry(now);
      journal.sendsAgain(progress.oldest, /* silence= */ true);
      return;
    }
    tally.count(Counter.TIMEOUTS);
    expired = true;
    if (spendRetry()) {
      // An answer already under way must not spend another retry on the same packet.
      retrying = true;
      retryPsn = progress.oldest;
      congestion.lost(clock.now());
      progress.moveTo(retryPsn);
      armRetransmission();
      journal.sendsAgain(retryPsn, /* silence= */ true);
    }
  }

  /** Whether to measure; if that begins, what was measured some time ago is forgotten. */
  private boolean controlListens() {
    boolean listens = congestion.listens();
    if (listens && !timed) {
      answerTime.reset();
    }
    timed = listens;
    return listens;
  }

  private boolean spendRetry() {
    if (retries >= parameters.retryCount) {
      failHead(WcStatus.RETRY_EXC_ERR, AccessFault.NONE);
      return false;
    }
    retries++;
    return true;
  }

  private void forgetRetries() {
    retries = 0;
    rnrRetries = 0;
  }

  private void armRetransmission() {
    if (!progress.isUnanswered() || parameters.ackTimeoutNanos == AckTimeout.INFINITE) {
      deadline(Clock.NEVER);
      return;
    }
    long now = clock.now();
    answerTime.begins(now);
    retryAt = now + parameters.ackTimeoutNanos;
    armNextTry(now);
  }

  /**
   * A try is a request and its answer: if a fifth of the packets gets lost, a third of the tries
   * fails, and eight in a row fail every few thousand messages. And only the timer reveals the loss
   * of the last packet of an answer. So for a peer that has answered before, a time-out has several
   * tries until the peer answers, once the timer has expired, or if packets got lost a short time
   * ago and this silence is long. In the latter case the first try is as early as the peer's
   * answers allow ({@link AnswerTime}), and each next one waits twice as long: a time-out may be a
   * thousand times as long, and one in fifty losses hits a repeated packet or the NAK. A slow
   * answer has the whole time. No try spends a retry, so a peer that has gone is given up after the
   * same time (S12.5.7).
   */
  private void armNextTry(long now) {
    long interval = parameters.ackTimeoutNanos / TRIES;
    boolean loses = controlListens() && answerTime.isExceededBy(interval);
    if (loses) {
      interval = Math.min(interval, answerTime.longSilence(tries));
    }
    boolean often = peerIsThere && (expired || loses);
    deadline(often ? Math.min(retryAt, now + interval) : retryAt);
  }

  private void deadline(long when) {
    DEADLINE.setOpaque(this, when);
  }

  private void clear() {
    readsOutstanding = 0;
    rnrWaiting = false;
    retrying = false;
    peerIsThere = false;
    expired = false;
    tries = 0;
    deadline(Clock.NEVER);
  }

  private static WorkCompletion describe(SendWqe wqe, WorkCompletion completion) {
    SendOperation operation = wqe.operation;
    return completion
        .wrId(wqe.wrId)
        .opcode(operation.completion)
        .byteLen(operation.atomic ? Long.BYTES : wqe.data.total);
  }

  private void report(WorkCompletion completion, long number) {
    if (!ring.add(completion, false, queue, number) && status.fail(QpStatus.OVERRUN)) {
      events.raise(EventType.QP_FATAL);
    }
  }
}
