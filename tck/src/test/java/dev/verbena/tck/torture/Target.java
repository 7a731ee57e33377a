package dev.verbena.tck.torture;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a lane that receives, and whose memory is written, read and changed. Used by one
 * thread.
 */
final class Target implements Peer {
  private final Traffic traffic;
  private final int lane;
  private final Script script;
  private final ProtectionDomain pd;
  private final CompletionQueue recvCq;
  private final CompletionQueue sendCq;
  private final QueuePair qp;
  private final Slots slots;
  private final Slots received;
  private final long wordOffset;
  private final Deque<Expected> expected = new ArrayDeque<>();
  private final WorkCompletion wc = new WorkCompletion();
  private @Nullable Wish wish;
  private @Nullable ConnectionData theirs;
  private int nextReceive;
  private boolean farewell;

  Target(Traffic traffic, int lane, ProtectionDomain pd) {
    this.traffic = traffic;
    this.lane = lane;
    this.pd = pd;
    script = new Script(traffic, lane);
    int batch = traffic.batch();
    recvCq = pd.context().createCq(2 * batch + 2);
    sendCq = pd.context().createCq(2);
    qp =
        pd.createQp(
            new QpInitAttr(QpType.RC)
                .sendCq(sendCq)
                .recvCq(recvCq)
                .maxSendWr(1)
                .maxRecvWr(2 * batch));
    slots = new Slots(pd, batch, traffic.size(), Long.BYTES, Access.LOCAL_WRITE, Traffic.RIGHTS);
    wordOffset = slots.offset(batch);
    received = new Slots(pd, 2 * batch, traffic.size(), 0, Access.LOCAL_WRITE);
  }

  @Override
  public void ask(Wish next, ConnectionData ours) {
    wish = next;
    theirs = ours;
    if (next == Wish.CONNECT && state() != QpState.RESET) {
      bidFarewell();
    }
  }

  /**
   * The peer has given up: nobody has told this end, which finds out when it sends something
   * itself.
   */
  private void bidFarewell() {
    require(state() == QpState.RTS, "the state has changed to " + state());
    qp.postSend(new SendWr().opcode(WrOpcode.RDMA_WRITE).sendFlags(SendFlags.SIGNALED));
    farewell = true;
  }

  @Override
  public @Nullable Answer answer() {
    while (recvCq.poll(wc)) {
      receive();
    }
    if (wish == null || theirs == null) {
      return null;
    }
    if (wish == Wish.CONNECT) {
      if (farewell && !isBroken()) {
        return null;
      }
      connect(theirs);
    } else {
      if (!expected.isEmpty()) {
        return null;
      }
      for (int i = 0; i < traffic.batch(); i++) {
        completed(i);
      }
      if (wish == Wish.BATCH) {
        prepare();
      }
    }
    List<Long> counters = wish == Wish.CHECK ? Torture.read(pd.context()) : List.of();
    wish = null;
    return new Answer(ConnectionData.of(qp, slots.region()), word(), counters);
  }

  private boolean isBroken() {
    if (!sendCq.poll(wc)) {
      return false;
    }
    require(wc.status() == WcStatus.RETRY_EXC_ERR, "a request to a peer that gave up: " + wc);
    farewell = false;
    return true;
  }

  private void connect(ConnectionData peer) {
    qp.modify(new QpAttr().qpState(QpState.RESET));
    while (recvCq.poll(wc)) {
      if (wc.status() == WcStatus.SUCCESS) {
        receive();
      }
    }
    // What was under way may have happened or not.
    expected.clear();
    for (Operation op : script.batch()) {
      op.opcode = WrOpcode.RDMA_READ;
    }
    traffic.connect(qp, peer.endpoint());
    nextReceive = 0;
    for (int i = 0; i < 2 * traffic.batch(); i++) {
      postReceive(i);
    }
  }

  private void postReceive(int slot) {
    received.clear(slot);
    qp.postRecv(new RecvWr().wrId(slot).sgList(received.sge(slot, traffic.size())));
  }

  private void prepare() {
    script.next();
    Operation[] batch = script.batch();
    for (int i = 0; i < batch.length; i++) {
      Operation op = batch[i];
      slots.clear(i);
      if (op.opcode == WrOpcode.RDMA_READ) {
        slots.fill(i, op);
      }
      if (op.sends() || op.hasImm()) {
        expected.add(new Expected(op.message, op.length, op.hasImm(), op.sends()));
      }
    }
  }

  @Override
  public void completed(int slot) {
    Operation op = script.batch()[slot];
    if (op.opcode != WrOpcode.RDMA_READ) {
      String problem = slots.problem(slot, op.message, op.writes() ? op.length : 0);
      require(problem.isEmpty(), op + ": " + problem);
    }
  }

  private void receive() {
    int slot = (int) wc.wrId();
    if (wc.status() != WcStatus.SUCCESS) {
      boolean flushed = wc.status() == WcStatus.WR_FLUSH_ERR && state() == QpState.ERR;
      require(flushed, "a receive has ended with " + wc);
      return;
    }
    require(slot == nextReceive, "receives complete out of order: " + wc);
    nextReceive = (nextReceive + 1) % (2 * traffic.batch());
    Expected next = expected.poll();
    if (next == null) {
      throw traffic.problem(lane, "a message too many: " + wc);
    }
    require(wc.byteLen() == next.length(), "length of message " + next + ": " + wc);
    require(((wc.wcFlags() & WcFlags.WITH_IMM) != 0) == next.withImm(), next + ": " + wc);
    require(!next.withImm() || wc.immData() == (int) next.message(), next + ": " + wc);
    String problem = received.problem(slot, next.message(), next.data() ? next.length() : 0);
    require(problem.isEmpty(), "received " + next + ": " + problem);
    postReceive(slot);
  }

  private long word() {
    return slots.region().memory().get(ValueLayout.JAVA_LONG_UNALIGNED, wordOffset);
  }

  private QpState state() {
    return qp.query(QpAttrMask.STATE).qpState();
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
    recvCq.close();
    sendCq.close();
    slots.region().close();
    received.region().close();
  }
}
