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
 * The pending requests, as a protocol machine without I/O, threads or clock: its input is the
 * requests, the datagrams received and the time, and its output is the datagrams to send.
 *
 * <p>Times are nanoseconds from an arbitrary origin, and do not wrap. A response is recognised by
 * the lower half of its transaction ID, its class, method and attribute; all other datagrams are
 * ignored, as is a response that the agent is busy. A request without a timely response is repeated
 * while retries are left. If a segmented response stops halfway, the received segments are
 * acknowledged again instead, so that the sender continues from there; each segment that advances
 * the response restarts the timeout.
 */
final class Transactions {
  /** Sends a datagram, as {@link dev.verbena.verbs.spi.MadTransport#send} does. */
  interface Sender {
    void send(MadAddress to, MemorySegment mad, Duration answerWithin);
  }

  /** A finished request, with its response or the reason why there is none. */
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
   * @param firstId the first transaction ID; an unpredictable one protects against forged responses
   */
  Transactions(Sender sender, int firstId) {
    this.sender = sender;
    this.nextId = firstId;
  }

  /** Sends a request, which starts at {@code now}. */
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

  /** Receives a datagram, with any contents. */
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
        // The response is complete, even if the sender cannot be told.
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

  /** Repeats or gives up the requests whose time is up. */
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

  /** Sends a request, or an ACK that continues its response, and restarts the timeout. */
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

  /** Drops a request that is no longer waited for. */
  void cancel(Transaction transaction) {
    if (open.remove(transaction.id, transaction)) {
      byDeadline.remove(transaction);
    }
  }

  /** Ends all requests for this reason. */
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

  /** The requests that have ended since the last call. */
  List<Done> takeDone() {
    List<Done> ended = done;
    done = new ArrayList<>();
    return ended;
  }

  /** When to call {@link #expire} next; null if no request is pending. */
  @Nullable Long nextDeadline() {
    return byDeadline.isEmpty() ? null : byDeadline.first().deadline;
  }

  /** The number of pending requests. */
  int waiting() {
    return open.size();
  }

  private static MemorySegment copy(MemorySegment mad) {
    return MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]).copyFrom(mad);
  }
}
