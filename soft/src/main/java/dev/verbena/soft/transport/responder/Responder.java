package dev.verbena.soft.transport.responder;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.Apart;
import dev.verbena.soft.queue.ReceiveSource;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.AckPolicy;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.DirectPeer;
import dev.verbena.soft.transport.Journal;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpEvents;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.RefusedRequest;
import dev.verbena.soft.transport.RefusedRequest.Cause;
import dev.verbena.soft.transport.Replies;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Address;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Takes the requests of the peer in sequence (S12.6): {@link #receive} reads like the checks of
 * S12.6.1, in order, up to the operation itself, which {@link RequestExecutor} does. Used under the
 * responder guard.
 */
public final class Responder extends Apart implements DirectPeer {
  /**
   * Packets whose PSNs are further apart are never under way together. So an unreliable connection
   * drops those that are up to this far behind as late or repeated, to keep messages in order; if
   * they are further behind, the peer has started over. On a reliable one, whoever is so far ahead
   * is reported, because he must have guessed.
   */
  private static final int FAR = 1 << 16;

  /** As many late packets, one after the other, as a network may let others overtake at once. */
  private static final int MOST_OVERTAKEN = 128;

  /**
   * A PSN further ahead than this may be a guess: a device like this one has at most half as many
   * in flight to another. Other peers may have more, by long READs, so that it gets a NAK, too, but
   * only one in as many PSNs: after such a READ the next one is due.
   */
  private static final int LIKELY_AHEAD = 1 << 10;

  private final QpCore core;
  private final boolean isDatagram;
  private final boolean isAcknowledged;
  private final AckPolicy acks;
  private final QpParameters parameters;
  private final QpStatus status;
  private final Tally tally;
  private final QpEvents events;
  private final Journal journal;
  private final RefusedRequest refused = new RefusedRequest();
  private final ReceiveSource source;
  private final RequestExecutor executor;
  private final ReadResources resources = new ReadResources();
  private int expectedPsn;
  private int msn;
  private boolean nakSent;
  private int nextGuess;
  private int afterLate;
  private int lateRun;
  private boolean established;
  private boolean retired;

  /**
   * Whether more than one receive was ever left after a message. A program that posts them one by
   * one takes turns with its peer, and would pay for each with one more packet.
   */
  private boolean givesCredits;

  /** What acknowledgements say of credits. */
  private int ack = AethSyndrome.ACK_UNLIMITED;

  /** The PSN of the last request that is answered by an acknowledgement. */
  private int lastAcknowledged;

  /** A responder in RESET, with its source of receives. */
  public Responder(QpCore core, ReceiveSource source) {
    this.core = core;
    isDatagram = core.service().datagram;
    isAcknowledged = core.service().acknowledged;
    acks = core.acks();
    parameters = core.parameters();
    status = core.status();
    tally = core.tally();
    events = core.events();
    journal = core.journal();
    this.source = source;
    executor = new RequestExecutor(core, source, refused);
  }

  /** Enters RTR, and expects this PSN in the first packet. */
  public void start(int rqPsn) {
    expectedPsn = Psn.mask(rqPsn);
    lastAcknowledged = expectedPsn;
    msn = 0;
    nakSent = false;
    nextGuess = expectedPsn;
    lateRun = 0;
    established = false;
    givesCredits = false;
    ack = AethSyndrome.ACK_UNLIMITED;
    source.awaited(false);
    resources.reset(parameters.maxDestRdAtomic);
  }

  /** Whether a request has come since {@link #start}. */
  public boolean isEstablished() {
    return established;
  }

  /**
   * The queue pair has ended, and its memory belongs to the program again. From now on it only
   * answers repeated requests, as far as that needs no memory. Drops the message under way, and
   * puts its receive back if it is a shared one.
   */
  public void retire() {
    executor.abandon();
    retired = true;
  }

  /** Completes every receive with WR_FLUSH_ERR. */
  public void flush() {
    executor.flush();
  }

  /** Drops every receive and any message under way. */
  public void reset() {
    executor.reset();
  }

  /** Describes its progress, and what it takes and has dropped, in some lines for people. */
  public void dump(StringBuilder text) {
    if (isDatagram) {
      text.append("  responder: takes Q_Key 0x").append(Integer.toHexString(parameters.qkey));
      text.append('\n');
    } else if (core.service().connected) {
      text.append("  responder: expects psn ").append(expectedPsn).append(", msn ").append(msn);
      text.append(", ").append(executor.messageText()).append(" under way");
      text.append(nakSent ? ", has asked for this psn again\n" : "\n");
      String rights = RefusedRequest.rights(parameters.accessFlags);
      text.append("  allows:    ").append(rights.isEmpty() ? "no access to memory" : rights);
      text.append('\n');
    }
    journal.dump(text);
  }

  /**
   * Takes a chunk, or drops it.
   *
   * @param obstacle its {@link #obstacle}, or another one met before; null to take it
   * @param replies takes the answers
   */
  public void receive(Chunk chunk, @Nullable Counter obstacle, Replies replies) {
    if (obstacle != null) {
      drop(chunk, obstacle);
    } else if (isDatagram) {
      // In any order, because PSNs are ignored (S3.3.9).
      executeUnacknowledged(chunk);
    } else {
      if (!established) {
        establish();
      }
      int ahead = Psn.diff(chunk.psn, expectedPsn);
      if (Math.abs(ahead) > FAR) {
        tally.count(Counter.UNLIKELY_PSNS);
      }
      if (!isAcknowledged) {
        follow(chunk, ahead);
      } else if (ahead < 0) {
        tally.count(Counter.DUPLICATE_REQUESTS);
        repeat(chunk, replies);
      } else if (retired) {
        tally.count(Counter.DROPPED_QP_STATE);
      } else if (expects(chunk)) {
        execute(chunk, replies);
      } else {
        reportGap(chunk, ahead, replies);
      }
    }
  }

  @Override
  public boolean admits(Address source, int pkey) {
    return core.obstacle(source, pkey) == null && established && !retired;
  }

  @Override
  public boolean writeWhole(int psn, int psnCount, int rkey, long va, SpanList payload) {
    boolean done = takes(psn) && executor.writeWhole(rkey, va, payload);
    if (done) {
      executed(psnCount);
    }
    return done;
  }

  @Override
  public boolean sendWhole(int psn, int psnCount, SendWqe request, SpanList payload) {
    boolean done = takes(psn) && executor.sendWhole(request, payload);
    if (done) {
      executed(psnCount);
    }
    return done;
  }

  @Override
  public boolean readWhole(int psn, int psnCount, int rkey, long va, SpanList landing) {
    boolean done = takes(psn) && hasReadResource() && executor.readWhole(rkey, va, landing);
    if (done) {
      resources.rememberRead(psn, psnCount);
      executed(psnCount);
    }
    return done;
  }

  @Override
  public boolean atomicWhole(
      int psn, Operation operation, int rkey, long va, long compare, long swapOrAdd) {
    boolean done =
        takes(psn)
            && hasReadResource()
            && executor.atomicWhole(operation, rkey, va, compare, swapOrAdd);
    if (done) {
      resources.rememberAtomic(psn, executor.original());
      executed(1);
    }
    return done;
  }

  @Override
  public long original() {
    return executor.original();
  }

  /** Whether a whole message with this PSN is the next one. */
  private boolean takes(int psn) {
    return psn == expectedPsn && status.receives();
  }

  private void executed(int psnCount) {
    nakSent = false;
    msn = Psn.next(msn);
    expectedPsn = Psn.add(expectedPsn, psnCount);
  }

  /** Whether a chunk is the next one of a connection. */
  public boolean expects(Chunk chunk) {
    return chunk.psn == expectedPsn;
  }

  /** Why a chunk is dropped before its sequence is checked, or null (S12.6.1). */
  public @Nullable Counter obstacle(Chunk chunk) {
    Counter obstacle = core.obstacle(chunk.source, chunk.pkey);
    if (obstacle == null && isDatagram && !hasOurQkey(chunk)) {
      return Counter.DROPPED_QKEY;
    }
    return obstacle;
  }

  private void drop(Chunk chunk, Counter obstacle) {
    tally.count(obstacle);
    switch (obstacle) {
      case DROPPED_SOURCE -> refused.because(Cause.SOURCE);
      case DROPPED_PKEY -> refused.because(Cause.PKEY, chunk.pkey, parameters.pkey);
      case DROPPED_QKEY -> refused.because(Cause.QKEY);
      default -> {
        // A state change is reported elsewhere; the remaining causes are ordinary network noise.
        return;
      }
    }
    tell(chunk, false);
  }

  /** Reports a chunk that is not executed; its cause has been recorded. */
  private void tell(Chunk chunk, boolean ends) {
    int qpn = isDatagram ? chunk.datagram.sourceQpn() : parameters.destQpn;
    boolean stranger = refused.cause() == Cause.SOURCE;
    journal.refused(refused.of(chunk.operation, chunk.source, stranger ? 0 : qpn, ends));
  }

  /**
   * Follows the sequence of UC, where lost packets are not repeated (S12.7.1): a gap or a chunk out
   * of turn silently ends the message under way, and the next one that starts is taken. A request
   * that cannot be executed is dropped likewise; its receive waits for another message.
   */
  private void follow(Chunk chunk, int ahead) {
    if (isLate(ahead) && !isPersistent(chunk)) {
      tally.count(Counter.DUPLICATE_REQUESTS);
      return;
    }
    if (!continuesMessage(chunk, ahead)) {
      executor.abandon();
      if (!chunk.first) {
        tally.count(Counter.DROPPED_OUT_OF_ORDER);
        return;
      }
    }
    executeUnacknowledged(chunk);
    lateRun = 0;
    if (!chunk.payloadGone) {
      expectedPsn = Psn.add(chunk.psn, chunk.psnCount);
    }
  }

  private static boolean isLate(int ahead) {
    return ahead < 0 && ahead >= -FAR;
  }

  /**
   * Whether so many late packets follow each other, with nothing in between, that the peer must be
   * sending them now. The one ahead was not its own, or it has started over close by: to go on
   * dropping would let a single forged packet stop the connection.
   */
  private boolean isPersistent(Chunk late) {
    lateRun = late.psn == afterLate ? lateRun + 1 : 1;
    afterLate = Psn.add(late.psn, late.psnCount);
    return lateRun > MOST_OVERTAKEN;
  }

  private boolean continuesMessage(Chunk chunk, int ahead) {
    return ahead == 0 && executor.accepts(chunk);
  }

  /** Takes a frame that was steered here; the rules have made all other checks (S9.2). */
  public void receive(Chunk frame) {
    if (status.receives()) {
      executeUnacknowledged(frame);
    } else {
      tally.count(Counter.DROPPED_QP_STATE);
    }
  }

  /**
   * Executes a chunk. If that is impossible, drops it without informing the sender (S3.2.2, S3.2.4,
   * S3.2.5).
   */
  private void executeUnacknowledged(Chunk chunk) {
    Verdict verdict = executor.execute(chunk);
    if (verdict == Verdict.DONE) {
      return;
    }
    executor.abandon();
    count(verdict);
    if (verdict.isOwnFault()) {
      end(verdict);
    }
    if (verdict != Verdict.UNSENT) {
      tell(chunk, verdict.isOwnFault());
    }
  }

  /**
   * Adds the pieces of a READ's data; returns false if it may no longer be read.
   *
   * @param srqNum the shared receive queue that the request named, for XRC
   */
  public boolean resolveRead(int srqNum, int rkey, long va, long length, SpanList into) {
    return executor.resolveRead(srqNum, rkey, va, length, into);
  }

  /** An accepted READ can no longer be answered, because the region ended meanwhile. */
  public void readFailed(int psn, Replies replies) {
    if (!retired) {
      refused.because(Cause.READ_INTERRUPTED);
      refuse(Verdict.ACCESS, Operation.READ_REQUEST, psn, replies);
    }
  }

  private void execute(Chunk chunk, Replies replies) {
    nakSent = false;
    boolean possible = executor.accepts(chunk) && hasResource(chunk.operation, replies);
    if (possible && !isCounted(chunk.operation) && !replies.hasRoom()) {
      // That is no reason to end the connection.
      tally.count(Counter.DROPPED_NO_ROOM);
      return;
    }
    Verdict verdict = possible ? executor.execute(chunk) : Verdict.INVALID_REQUEST;
    switch (verdict) {
      case DONE -> accept(chunk, replies);
      case NOT_READY -> notReady(chunk.psn, replies);
      case UNSENT -> {
        // The sender has lost it, and its queue pair fails.
      }
      case INVALID_REQUEST, ACCESS, OPERATIONAL ->
          refuse(verdict, chunk.operation, chunk.psn, replies);
    }
  }

  private void accept(Chunk chunk, Replies replies) {
    if (chunk.last) {
      msn = Psn.next(msn);
    }
    switch (chunk.operation.answer) {
      case DATA -> {
        int count = Psn.count(chunk.dmaLength, parameters.mtu);
        resources.rememberRead(chunk.psn, count);
        expectedPsn = Psn.add(chunk.psn, count);
        answer(chunk, count, replies);
      }
      case ORIGINAL -> {
        resources.rememberAtomic(chunk.psn, executor.original());
        expectedPsn = Psn.next(chunk.psn);
        replies.atomic(chunk.psn, msn, executor.original());
      }
      case EMPTY_RESPONSE -> {
        if (isCounted(chunk.operation)) {
          resources.rememberWrite(chunk.psn);
        } else {
          resources.rememberFlush(chunk.psn);
        }
        expectedPsn = Psn.next(chunk.psn);
        respond(chunk.psn, replies);
      }
      case ACKNOWLEDGE -> {
        expectedPsn = Psn.add(chunk.psn, chunk.psnCount);
        lastAcknowledged = Psn.add(expectedPsn, -1);
        boolean answers = acks.answers(chunk);
        if (chunk.last && (chunk.operation == Operation.SEND || chunk.hasImm)) {
          countReceives(replies, answers);
        }
        if (answers) {
          replies.acknowledge(lastAcknowledged, ack, msn);
        }
      }
      case NONE -> throw new IllegalStateException(chunk.operation + " was executed");
    }
  }

  /**
   * A message has used up a receive: finds out how many more would find one, for what is
   * acknowledged from now on.
   *
   * @param tells whether an acknowledgement follows
   */
  private void countReceives(Replies replies, boolean tells) {
    if (!replies.giveCredits()) {
      // Nor any longer, if it did: what was said last would stop the peer for ever.
      givesCredits = false;
      ack = AethSyndrome.ACK_UNLIMITED;
      return;
    }
    int posted = source.posted();
    if (posted == 0 && givesCredits && !source.isAwaited()) {
      source.awaited(true);
      // Either this thread sees what a program posts meanwhile, or that one sees who waits.
      VarHandle.fullFence();
      posted = source.posted();
      source.awaited(posted == 0);
    }
    if (posted > 0 && tells && source.isAwaited()) {
      source.awaited(false);
    }
    givesCredits |= posted > 1;
    offer(posted);
  }

  private void offer(int posted) {
    boolean counts = givesCredits && posted != ReceiveSource.UNCOUNTED;
    ack = counts ? AethSyndrome.ack(AethSyndrome.creditCode(posted)) : AethSyndrome.ACK_UNLIMITED;
  }

  /**
   * Receives may have been posted: if so, tells a peer that was told that there are none, and that
   * has repeated nothing since. It has the acknowledgement itself already, or will find it in this
   * one.
   */
  public void announceReceives(Replies replies) {
    int posted = source.isAwaited() ? source.posted() : 0;
    if (posted > 0) {
      source.awaited(false);
      offer(posted);
      // After a long stream of READs the PSN could be taken for one to come.
      if (Psn.diff(expectedPsn, lastAcknowledged) <= FAR) {
        replies.acknowledge(lastAcknowledged, ack, msn);
      }
    }
  }

  /**
   * Whether a request with a separate response counts against max_dest_rd_atomic. A FLUSH does not,
   * because Linux sends them beyond the limit.
   */
  private static boolean isCounted(Operation operation) {
    return operation != Operation.FLUSH;
  }

  /** Sends the answer to ATOMIC_WRITE and FLUSH, which is that to an empty READ (S12.6.12). */
  private void respond(int psn, Replies replies) {
    replies.read(psn, 1, msn, 0, 0, 0, 0);
  }

  private void answer(Chunk read, int count, Replies replies) {
    replies.read(read.psn, count, msn, read.srqNum, read.rkey, read.va, read.dmaLength);
  }

  /**
   * Handles a request from before the expected PSN: its answer was lost, or the network repeated it
   * (S12.6.3).
   */
  private void repeat(Chunk chunk, Replies replies) {
    int behind = Psn.diff(lastAcknowledged, chunk.psn);
    if (behind >= 0 && behind <= FAR) {
      // Its answer says how many receives there are. Linux bears no second one.
      source.awaited(false);
    }
    switch (chunk.operation.answer) {
      case ACKNOWLEDGE -> acknowledgeAgain(chunk, replies);
      case DATA -> readAgain(chunk, replies);
      case ORIGINAL -> answerAtomicAgain(chunk, replies);
      case EMPTY_RESPONSE -> {
        if (isCounted(chunk.operation)) {
          answerWriteAgain(chunk, replies);
        } else {
          answerFlushAgain(chunk, replies);
        }
      }
      case NONE -> {
        // A chunk that is not a request gets no answer.
      }
    }
  }

  /**
   * Acknowledges again, but only if the request asks, because Linux stops for ever when it gets two
   * ACKs of a message that it is sending again. And not beyond a READ or an atomic, whose answer
   * may have been lost: Linux takes an ACK with its last PSN for the answer, and completes it
   * without data.
   */
  private void acknowledgeAgain(Chunk chunk, Replies replies) {
    if (Psn.diff(Psn.add(chunk.psn, chunk.psnCount), expectedPsn) > 0) {
      // A long packet that the requester did not end here the first time; its rest is new. It is
      // asked for each time, because the requester may cut the message like that again.
      askFromExpected(replies);
    } else if (acks.answers(chunk)) {
      int end = resources.firstBehind(chunk.psn, expectedPsn);
      offer(source.posted());
      replies.acknowledge(Psn.add(end, -1), ack, msn);
    }
  }

  private void readAgain(Chunk chunk, Replies replies) {
    int count = Psn.count(chunk.dmaLength, parameters.mtu);
    if (!retired
        && replies.hasRoomToRepeat(chunk.psn)
        && resources.coversRead(chunk.psn, count)
        && executor.mayReadAgain(chunk)) {
      replies.readAgain(chunk.psn, count, msn, chunk.srqNum, chunk.rkey, chunk.va, chunk.dmaLength);
    }
  }

  private void answerAtomicAgain(Chunk chunk, Replies replies) {
    int index = resources.findAtomic(chunk.psn);
    if (index >= 0 && replies.hasRoomToRepeat(chunk.psn)) {
      replies.atomic(chunk.psn, msn, resources.original(index));
    }
  }

  private void answerWriteAgain(Chunk chunk, Replies replies) {
    if (resources.hasWrite(chunk.psn) && replies.hasRoomToRepeat(chunk.psn)) {
      respond(chunk.psn, replies);
    }
  }

  /**
   * Answers without executing, because the memory window that it named may have been invalidated
   * since.
   */
  private void answerFlushAgain(Chunk chunk, Replies replies) {
    if (resources.hasFlush(chunk.psn) && replies.hasRoomToRepeat(chunk.psn)) {
      respond(chunk.psn, replies);
    }
  }

  /**
   * Sends one NAK for a gap; later packets are dropped silently until the expected one comes
   * (S12.6.2). Guesses get few, since each NAK makes the peer go back.
   */
  private void reportGap(Chunk chunk, int ahead, Replies replies) {
    if (ahead > FAR) {
      refused.because(Cause.UNLIKELY_PSN, chunk.psn, expectedPsn);
      tell(chunk, false);
    }
    if (nakSent || (ahead > LIKELY_AHEAD && !answersGuess())) {
      tally.count(Counter.DROPPED_OUT_OF_ORDER);
      return;
    }
    askFromExpected(replies);
  }

  private boolean answersGuess() {
    // Further away, the last one is so long ago that PSNs have come round.
    int left = Psn.diff(nextGuess, expectedPsn);
    if (left > 0 && left <= LIKELY_AHEAD) {
      return false;
    }
    nextGuess = Psn.add(expectedPsn, LIKELY_AHEAD);
    return true;
  }

  private void askFromExpected(Replies replies) {
    nakSent = true;
    tally.count(Counter.SEQUENCE_NAKS_SENT);
    answerNak(expectedPsn, AethSyndrome.NAK_PSN_SEQUENCE_ERROR, replies);
  }

  /**
   * No receive is posted: the peer must try again later; the packets that it sent after this one
   * are dropped (S3.2.1).
   */
  private void notReady(int psn, Replies replies) {
    nakSent = true;
    source.awaited(false);
    tally.count(Counter.RNR_NAKS_SENT);
    answerNak(psn, AethSyndrome.rnr(parameters.minRnrTimer), replies);
  }

  /** Informs the peer, ends the connection, and reports the cause. */
  private void refuse(Verdict why, Operation operation, int psn, Replies replies) {
    count(why);
    answerNak(psn, why.syndrome(), replies);
    end(why);
    journal.refused(refused.of(operation, parameters.peer, parameters.destQpn, true));
  }

  private void answerNak(int psn, int syndrome, Replies replies) {
    replies.acknowledge(psn, syndrome, msn);
    journal.nak(psn, syndrome, /* sent= */ true);
  }

  /** The cause comes before QP_LAST_WQE_REACHED (S10.4). */
  private void end(Verdict why) {
    if (status.fail(refused) && why.event() != null) {
      events.raise(why.event());
    }
    flush();
  }

  private void count(Verdict why) {
    if (why.counter() != null) {
      tally.count(why.counter());
    }
  }

  private boolean hasOurQkey(Chunk datagram) {
    return datagram.datagram.qkey() == parameters.qkey;
  }

  private void establish() {
    established = true;
    if (status.state == QpState.RTR) {
      events.raise(EventType.COMM_EST);
    }
  }

  /** Whether max_dest_rd_atomic allows any READ. */
  private boolean hasReadResource() {
    int most = parameters.maxDestRdAtomic;
    resources.ensure(most);
    return most > 0;
  }

  /** Whether max_dest_rd_atomic allows one more request with a separate response (S12.6.11). */
  private boolean hasResource(Operation operation, Replies replies) {
    int most = parameters.maxDestRdAtomic;
    boolean has =
        switch (operation.answer) {
          case DATA, ORIGINAL, EMPTY_RESPONSE -> {
            yield hasReadResource() && (replies.hasRoom() || !isCounted(operation));
          }
          case ACKNOWLEDGE, NONE -> true;
        };
    if (!has) {
      refused.because(Cause.READ_LIMIT, 0, most);
    }
    return has;
  }
}
