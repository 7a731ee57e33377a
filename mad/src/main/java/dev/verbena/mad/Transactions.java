package dev.verbena.mad;

import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadStatus;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for answers, as a machine without I/O, threads and clock: it is told what
 * is asked, what came in and what time it is, and says what to send.
 *
 * <p>Times are nanoseconds from any moment on, and do not wrap. An answer is told by the lower half
 * of its transaction ID, its class, method and attribute; all else that comes in is ignored, also
 * an answer that says the agent is busy. A request that is not answered in its time is sent again,
 * if it may be. Of an answer in segments that stops halfway what is there is acknowledged again
 * instead, so that the sender goes on from there; each segment that carries the answer on gives it
 * the whole time anew.
 */
final class Transactions {
  /** Sends a datagram, as {@link dev.verbena.verbs.spi.MadTransport#send} does. */
  interface Sender {
    void send(MadAddress to, MemorySegment mad, Duration answerWithin);
  }

  /** One that is done, with its answer or the reason why there is none. */
  record Done(Transaction transaction, @Nullable MadReply reply, @Nullable RdmaException failure) {
    void tell() {
      transaction.whenDone.accept(reply, failure);
    }
  }

  private final Sender sender;
  private final Map<Integer, Transaction> open = new HashMap<>();
  private final NavigableSet<Transaction> byDeadline =
      new TreeSet<>(
          Comparator.<Transaction>comparingLong(transaction -> transaction.deadline)
              .thenComparingInt(transaction -> transaction.id));
  private final MemorySegment control = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]);
  private List<Done> done = new ArrayList<>();
  private int nextId;

  /**
   * @param firstId the first transaction ID; one that cannot be guessed keeps strangers out
   */
  Transactions(Sender sender, int firstId) {
    this.sender = sender;
    this.nextId = firstId;
  }

  /** Sends a request, for which {@code now} is the first moment. */
  void start(long now, Transaction transaction) {
    do {
      transaction.id = nextId++;
    } while (open.containsKey(transaction.id));
    MadHeader.TRANSACTION_ID.set(transaction.request, 0, Integer.toUnsignedLong(transaction.id));
    open.put(transaction.id, transaction);
    transaction.deadline = now;
    byDeadline.add(transaction);
    ask(now, transaction);
  }

  /** Ends a request that cannot even be sent. */
  void refuse(Transaction transaction, RdmaException reason) {
    done.add(new Done(transaction, null, reason));
  }

  /** Takes a datagram that came in; it may be anything. */
  void receive(long now, MadAddress from, MemorySegment mad) {
    Transaction transaction = open.get((int) MadHeader.TRANSACTION_ID.get(mad, 0));
    if (transaction == null
        || !transaction.isAnsweredBy(mad)
        || MadStatus.of(mad) == MadStatus.BUSY) {
      return;
    }
    if (MadStatus.of(mad) == MadStatus.OK && RmppReceiver.isSegmented(mad)) {
      segment(now, transaction, from, mad);
    } else {
      end(transaction, new MadReply(from, copy(mad), null), null);
    }
  }

  private void segment(long now, Transaction transaction, MadAddress from, MemorySegment mad) {
    RmppReceiver segments = transaction.segments;
    int before = segments.received();
    switch (segments.receive(mad)) {
      case WAIT -> {}
      case ACKNOWLEDGE -> acknowledge(transaction, transaction.timeout);
      case COMPLETE -> {
        // The answer is there, even if the sender cannot be told.
        end(transaction, new MadReply(from, copy(mad), segments), null);
        acknowledge(transaction, Duration.ZERO);
      }
      case GIVE_UP -> {
        segments.giveUp(control, mad);
        send(transaction, control, Duration.ZERO);
        end(transaction, null, transaction.rmppFailed(segments.failure()));
      }
      case ENDED -> end(transaction, null, transaction.rmppFailed(segments.failure()));
    }
    if (segments.received() > before && open.containsKey(transaction.id)) {
      expireAt(transaction, now + transaction.timeout.toNanos());
    }
  }

  /** Sends again, or gives up, what has had its time. */
  void expire(long now) {
    while (!byDeadline.isEmpty() && byDeadline.first().deadline <= now) {
      Transaction transaction = byDeadline.first();
      if (transaction.triesLeft == 0) {
        end(transaction, null, transaction.timedOut());
      } else {
        ask(now, transaction);
      }
    }
  }

  /** Sends a request, or what makes its answer go on, and gives the agent its time. */
  private void ask(long now, Transaction transaction) {
    transaction.triesLeft--;
    expireAt(transaction, now + transaction.timeout.toNanos());
    if (transaction.segments.hasBegun()) {
      acknowledge(transaction, transaction.timeout);
    } else {
      send(transaction, transaction.request, transaction.timeout);
    }
  }

  private void acknowledge(Transaction transaction, Duration answerWithin) {
    transaction.segments.acknowledge(control);
    send(transaction, control, answerWithin);
  }

  private void send(Transaction transaction, MemorySegment mad, Duration answerWithin) {
    try {
      sender.send(transaction.to, mad, answerWithin);
    } catch (RdmaException e) {
      end(transaction, null, e);
    } catch (RuntimeException e) {
      end(transaction, null, transaction.notSent(e));
    }
  }

  private void expireAt(Transaction transaction, long deadline) {
    byDeadline.remove(transaction);
    transaction.deadline = deadline;
    byDeadline.add(transaction);
  }

  /** Forgets a request whose answer nobody waits for any more. */
  void cancel(Transaction transaction) {
    if (open.remove(transaction.id, transaction)) {
      byDeadline.remove(transaction);
    }
  }

  /** Ends all with this reason. */
  void failAll(RdmaException reason) {
    for (Transaction transaction : List.copyOf(open.values())) {
      end(transaction, null, reason);
    }
  }

  private void end(
      Transaction transaction, @Nullable MadReply reply, @Nullable RdmaException failure) {
    if (open.remove(transaction.id, transaction)) {
      byDeadline.remove(transaction);
      done.add(new Done(transaction, reply, failure));
    }
  }

  /** Those that ended since this was asked last. */
  List<Done> takeDone() {
    List<Done> ended = done;
    done = new ArrayList<>();
    return ended;
  }

  /** When {@link #expire} is to be called next; null if nothing waits. */
  @Nullable Long nextDeadline() {
    return byDeadline.isEmpty() ? null : byDeadline.first().deadline;
  }

  /** How many wait for their answer. */
  int waiting() {
    return open.size();
  }

  private static MemorySegment copy(MemorySegment mad) {
    return MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]).copyFrom(mad);
  }
}
