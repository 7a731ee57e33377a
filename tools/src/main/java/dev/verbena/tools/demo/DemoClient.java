package dev.verbena.tools.demo;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.vtools.Completions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** The client's side of the rounds: starts every message and measures. */
final class DemoClient {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * Time limit for all rounds of one row, so that slow faults do not make the demonstration
   * endless.
   */
  private static final long ROW_NANOS = 800_000_000;

  private static final long WARM_UP_NANOS = 300_000_000;
  private static final int WARM_UP_MESSAGES = 3000;
  private static final int HISTOGRAM_DIGITS = 3;

  private final DemoEnd end;
  private final ConnectionData remote;
  private final WorkCompletion completion = new WorkCompletion();
  private final DataInputStream in;
  private final DataOutputStream out;
  private int nextMessage;

  DemoClient(DemoEnd end, ConnectionData remote, Socket control) throws IOException {
    this.end = end;
    this.remote = remote;
    in = new DataInputStream(control.getInputStream());
    out = new DataOutputStream(control.getOutputStream());
  }

  /** Measures small messages, one at a time: the time of each from post to completion. */
  Measurement latency(Operation operation, int size, int messages) throws IOException {
    rounds(operation, size, WARM_UP_MESSAGES, WARM_UP_NANOS, new Histogram(HISTOGRAM_DIGITS));
    return inTurn(operation, size, messages);
  }

  /** One message, with whatever the first of its kind costs. */
  Measurement once(Operation operation, int size) throws IOException {
    return inTurn(operation, size, 1);
  }

  private Measurement inTurn(Operation operation, int size, int messages) throws IOException {
    OptionalLong before = resent();
    Histogram histogram = new Histogram(HISTOGRAM_DIGITS);
    rounds(operation, size, messages, ROW_NANOS, histogram);
    return new Measurement(
        operation, size, histogram.getTotalCount(), histogram, 0, resentSince(before));
  }

  /** Measures large messages, all of a round at once: the bytes per second that arrive. */
  Measurement bandwidth(Operation operation, int size, long bytes) throws IOException {
    bulk(round(operation, size, Round.LARGE));
    OptionalLong before = resent();
    long messages = 0;
    long nanos = 0;
    while (messages * size < bytes && nanos < ROW_NANOS) {
      nanos += bulk(round(operation, size, Round.LARGE));
      messages += Round.LARGE;
    }
    return new Measurement(
        operation,
        size,
        messages,
        new Histogram(HISTOGRAM_DIGITS),
        messages * size / (nanos / 1e9),
        resentSince(before));
  }

  private void rounds(
      Operation operation, int size, int messages, long limitNanos, Histogram histogram)
      throws IOException {
    long start = System.nanoTime();
    for (int done = 0; done < messages && System.nanoTime() - start < limitNanos; ) {
      Round round = round(operation, size, Math.min(Round.SMALL, messages - done));
      begin(round);
      for (int i = 0; i < round.messages(); i++) {
        long posted = System.nanoTime();
        end.qp().wrStart();
        build(round, i);
        end.qp().wrComplete();
        Completions.await(end.cq(), completion, PATIENCE);
        histogram.recordValue(System.nanoTime() - posted);
      }
      finish(round);
      done += round.messages();
    }
  }

  /** Runs a round with all its messages in flight at once; returns nanoseconds. */
  private long bulk(Round round) throws IOException {
    begin(round);
    long start = System.nanoTime();
    end.qp().wrStart();
    for (int i = 0; i < round.messages(); i++) {
      build(round, i);
    }
    end.qp().wrComplete();
    for (int i = 0; i < round.messages(); i++) {
      Completions.await(end.cq(), completion, PATIENCE);
    }
    long nanos = System.nanoTime() - start;
    finish(round);
    return nanos;
  }

  private Round round(Operation operation, int size, int messages) {
    Round round = new Round(operation, size, messages, nextMessage);
    nextMessage += messages;
    return round;
  }

  /** Clears the memory that a round fills on this side, and waits until the server is ready. */
  private void begin(Round round) throws IOException {
    if (round.operation() == Operation.RDMA_READ || round.operation().isAtomic()) {
      end.clear(round);
    }
    round.write(out);
    in.readBoolean();
  }

  /** Checks the data on both sides. */
  private void finish(Round round) throws IOException {
    String wrongHere = check(round);
    out.writeBoolean(true);
    String wrongThere = in.readUTF();
    if (!wrongHere.isEmpty() || !wrongThere.isEmpty()) {
      throw ToolException.failure(
          "%s of %s arrived wrong at the %s: %s"
              .formatted(
                  round.operation(),
                  ResultTable.size(round.size()),
                  wrongHere.isEmpty() ? "server" : "client",
                  wrongHere.isEmpty() ? wrongThere : wrongHere));
    }
  }

  private void build(Round round, int message) {
    QueuePairEx qp = end.qp();
    MemoryRegion slots = end.slots();
    long offset = round.offset(message);
    qp.wrId(message).wrFlags(SendFlags.SIGNALED);
    switch (round.operation()) {
      case SEND -> {
        qp.wrSend();
        setPattern(round, message);
      }
      case RDMA_WRITE -> {
        qp.wrRdmaWrite(remote.rkey(), remote.addr() + offset);
        setPattern(round, message);
      }
      case RDMA_WRITE_WITH_IMM -> {
        qp.wrRdmaWriteImm(remote.rkey(), remote.addr() + offset, round.first() + message);
        setPattern(round, message);
      }
      case RDMA_READ -> {
        qp.wrRdmaRead(remote.rkey(), remote.addr() + offset);
        qp.wrSetSge(slots.lkey(), slots.addr() + offset, round.size());
      }
      case ATOMIC_CMP_AND_SWP -> {
        Atomics atomics = new Atomics(end.pattern(), round);
        qp.wrAtomicCmpSwp(
            remote.rkey(),
            remote.addr() + round.offset(atomics.target(message)),
            atomics.compare(message),
            atomics.swap(message));
        qp.wrSetSge(slots.lkey(), slots.addr() + offset, Long.BYTES);
      }
      case ATOMIC_FETCH_AND_ADD -> {
        Atomics atomics = new Atomics(end.pattern(), round);
        qp.wrAtomicFetchAdd(
            remote.rkey(),
            remote.addr() + round.offset(atomics.target(message)),
            atomics.add(message));
        qp.wrSetSge(slots.lkey(), slots.addr() + offset, Long.BYTES);
      }
    }
  }

  private void setPattern(Round round, int message) {
    MemoryRegion source = end.patternRegion();
    end.qp()
        .wrSetSge(
            source.lkey(),
            source.addr() + SeededPattern.offset(round.first() + message),
            round.size());
  }

  /** The first error in the data that a round brought to this side, or "". */
  private String check(Round round) {
    Atomics atomics = new Atomics(end.pattern(), round);
    for (int i = 0; i < round.messages(); i++) {
      if (round.operation().isAtomic()) {
        if (end.number(round, i) != atomics.expectedOld(i)) {
          return "message %d returned 0x%016x, not 0x%016x"
              .formatted(i, end.number(round, i), atomics.expectedOld(i));
        }
      } else if (round.operation() == Operation.RDMA_READ) {
        String difference = end.pattern().difference(round.first() + i, end.slot(round, i));
        if (difference != null) {
          return "message " + i + ": " + difference;
        }
      }
    }
    return "";
  }

  /** Packets that the client has sent again, if its device counts them. */
  private OptionalLong resent() {
    Counters counters = end.context().counters();
    return counters.has(Counter.RETRANSMITTED)
        ? OptionalLong.of(counters.get(Counter.RETRANSMITTED))
        : OptionalLong.empty();
  }

  private OptionalLong resentSince(OptionalLong before) {
    OptionalLong now = resent();
    return now.isPresent() && before.isPresent()
        ? OptionalLong.of(now.getAsLong() - before.getAsLong())
        : OptionalLong.empty();
  }
}
