package dev.verbena.tck.torture;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of a lane whose messages may get lost. Each arrives at most once, whole and, on
 * a connection, in order; a WRITE may leave a part of its data. Used by one thread.
 */
final class UnreliableTarget implements Peer {
  /** How long to wait for messages that may be lost, or still be under way. */
  private static final long PATIENCE_NANOS = 20_000_000;

  /** Bytes that a datagram puts in front of its data. */
  private static final int GRH = 40;

  /** A message that is later than so many batches counts as lost, and must not arrive. */
  private static final int LATE_BATCHES = 64;

  private final Traffic traffic;
  private final int lane;
  private final Script script;
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final LaneMemory memory;
  private final Slots received;
  private final int headroom;
  private final Deque<Expected> expected = new ArrayDeque<>();
  private final WorkCompletion wc = new WorkCompletion();
  private @Nullable Wish wish;
  private @Nullable ConnectionData theirs;
  private long askedAt;
  private long arrived;

  UnreliableTarget(Traffic traffic, int lane, ProtectionDomain pd) {
    this.traffic = traffic;
    this.lane = lane;
    this.pd = pd;
    script = new Script(traffic, lane);
    int batch = traffic.batch();
    cq = pd.context().createCq(2 * batch + 2);
    qp =
        pd.createQp(
            new QpInitAttr(traffic.service().sender())
                .sendCq(cq)
                .recvCq(cq)
                .maxSendWr(1)
                .maxRecvWr(2 * batch));
    headroom = traffic.service() == Service.UD ? GRH : 0;
    memory = new LaneMemory(pd, Traffic.TARGET, Traffic.memory(lane), batch, traffic.size());
    received = Slots.allocate(pd, 2 * batch, traffic.size() + headroom, Access.LOCAL_WRITE);
  }

  @Override
  public void ask(Wish next, ConnectionData ours) {
    wish = next;
    theirs = ours;
    askedAt = System.nanoTime();
  }

  @Override
  public @Nullable Answer answer() {
    while (cq.poll(wc)) {
      receive();
    }
    if (wish == null || theirs == null) {
      return null;
    }
    if (wish == Wish.CONNECT) {
      connect(theirs);
    } else {
      if (awaits() && System.nanoTime() - askedAt < PATIENCE_NANOS) {
        return null;
      }
      checkMemory();
      if (wish == Wish.BATCH) {
        prepare();
      }
    }
    List<Long> counters = wish == Wish.CHECK ? Torture.read(pd.context()) : List.of();
    wish = null;
    return new Answer(ConnectionData.of(qp, memory.region()), 0, arrived, false, false, counters);
  }

  /** Whether the last message of the batch has not arrived; those before it are late or lost. */
  private boolean awaits() {
    Expected last = expected.peekLast();
    return last != null && Script.distance(last.message(), lastMessage()) < traffic.batch();
  }

  private long lastMessage() {
    return script.batch()[traffic.batch() - 1].message;
  }

  private void connect(ConnectionData peer) {
    qp.modify(new QpAttr().qpState(QpState.RESET));
    expected.clear();
    traffic.connect(qp, peer.endpoint());
    for (int i = 0; i < 2 * traffic.batch(); i++) {
      post(i);
    }
  }

  private void post(int slot) {
    received.clear(slot);
    qp.postRecv(new RecvWr().wrId(slot).sgList(received.sge(slot, headroom + traffic.size())));
  }

  private void prepare() {
    script.next();
    for (int i = 0; i < traffic.batch(); i++) {
      Operation op = script.batch()[i];
      memory.slots().clear(i);
      if (op.sends() || op.hasImm()) {
        expected.add(Expected.of(op));
      }
    }
    long now = lastMessage();
    expected.removeIf(
        old -> Script.distance(old.message(), now) > (long) LATE_BATCHES * traffic.batch());
  }

  /** A place may have words of its message, and of messages of earlier batches that came late. */
  private void checkMemory() {
    for (int i = 0; i < traffic.batch(); i++) {
      int slot = i;
      long now = script.batch()[i].message;
      String problem =
          memory.slots().strangeness(i, traffic.size(), message -> isOf(slot, message, now));
      require(problem.isEmpty(), script.batch()[i] + ": " + problem);
    }
  }

  private boolean isOf(int slot, long message, long now) {
    long distance = Script.distance(message, now);
    return script.slot(message) == slot
        && distance >= 0
        && distance <= (long) LATE_BATCHES * traffic.batch();
  }

  private void receive() {
    int slot = (int) wc.wrId();
    require(wc.status() == WcStatus.SUCCESS, "a receive has ended with " + wc);
    Iterator<Expected> candidates = expected.iterator();
    String problem = "no message is expected";
    while (candidates.hasNext()) {
      Expected next = candidates.next();
      problem = mismatch(slot, next);
      if (problem.isEmpty()) {
        candidates.remove();
        if (traffic.service() == Service.UC) {
          // A connection keeps the order: what came before this one is lost.
          expected.removeIf(old -> Script.distance(old.message(), next.message()) > 0);
        }
        checkWritten(next);
        arrived++;
        post(slot);
        return;
      }
    }
    throw traffic.problem(lane, "a strange message, " + wc + "; unlike the last: " + problem);
  }

  /** Why a completed receive is not of this message, or nothing. */
  private String mismatch(int slot, Expected message) {
    if (wc.byteLen() != headroom + message.length()) {
      return "its length";
    }
    int flags = wc.wcFlags() & (WcFlags.WITH_IMM | WcFlags.WITH_INV);
    if (flags != message.flags()) {
      return "what it carries";
    }
    if (message.withImm() && wc.immData() != (int) message.message()) {
      return "its immediate data";
    }
    if (headroom > 0 && theirs != null && wc.srcQp() != theirs.endpoint().qpNum()) {
      return "its sender";
    }
    return message.data()
        ? Pattern.problem(
            received.memory(slot).asSlice(headroom, message.length()), message.message())
        : "";
  }

  /** A WRITE of the present batch whose immediate data has arrived has stored all of its bytes. */
  private void checkWritten(Expected message) {
    int slot = script.slot(message.message());
    Operation op = script.batch()[slot];
    if (op.message == message.message() && !message.data()) {
      // Behind it may be the rest of an earlier, longer message that came late.
      String problem =
          Pattern.problem(memory.slots().memory(slot).asSlice(0, op.length), op.message);
      require(problem.isEmpty(), op + ": " + problem);
    }
  }

  @Override
  public void completed(int slot) {
    // That a request has left says nothing about its arrival.
  }

  @Override
  public boolean isGone() {
    return false;
  }

  private void require(boolean condition, String message) {
    traffic.require(lane, condition, message);
  }

  @Override
  public void close() {
    qp.close();
    cq.close();
    memory.close();
    received.region().close();
  }
}
