package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.device.Pair;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * A queue pair that posts batches of mixed operations, one after the other, and checks all data. It
 * counts a lost connection, and reconnects.
 */
final class BatchSender {
  static final int BATCH = 16;
  private static final int RECEIVES = 2 * BATCH;
  private static final int LONGEST = Side.CONSTANT;
  private static final WrOpcode[] KINDS = {
    WrOpcode.SEND,
    WrOpcode.SEND_WITH_IMM,
    WrOpcode.RDMA_WRITE,
    WrOpcode.RDMA_WRITE_WITH_IMM,
    WrOpcode.RDMA_READ,
    WrOpcode.RDMA_READ,
    WrOpcode.ATOMIC_FETCH_AND_ADD,
    WrOpcode.ATOMIC_FETCH_AND_ADD
  };

  /** An operation of the batch, and the part of the constant data that it moves. */
  private record Operation(WrOpcode opcode, int offset, int length) {
    boolean takesReceive() {
      return opcode == WrOpcode.SEND
          || opcode == WrOpcode.SEND_WITH_IMM
          || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    }
  }

  private final Pair pair;
  private final Side from;
  private final Side to;
  private final RandomGenerator random;
  private final CompletionQueue cq;
  private final CompletionQueue peerCq;
  private final QueuePair qp;
  private final QueuePair peer;
  private final Connection connection;
  private final MemoryRegion local;
  private final MemoryRegion remote;
  private final MemoryRegion received;
  private final Operation[] batch = new Operation[BATCH];
  private final Deque<Operation> expected = new ArrayDeque<>();
  private final WorkCompletion wc = new WorkCompletion();
  private int outstanding;
  private int nextReceive;
  private boolean failed;
  private long counter;
  private long done;
  private long lost;
  private long progressAt;
  private long longestGap;

  BatchSender(Pair pair, Side from, Side to, Scenario scenario, RandomGenerator random) {
    this.pair = pair;
    this.from = from;
    this.to = to;
    this.random = random;
    cq = from.context().createCq(2 * BATCH);
    peerCq = to.context().createCq(2 * RECEIVES);
    qp = from.pd().createQp(QpInitAttr.rc(cq).maxSendWr(BATCH));
    peer = to.pd().createQp(QpInitAttr.rc(peerCq).maxRecvWr(RECEIVES));
    local = from.newLanding(BATCH * LONGEST);
    // The last word is for the atomics.
    remote = to.newTarget(Arena.ofAuto().allocate(BATCH * LONGEST + 8L, 8));
    received = to.newLanding(RECEIVES * LONGEST);
    connection = new Connection(scenario, random, from, to, qp, peer);
    connect();
  }

  private void connect() {
    connection.connect();
    nextReceive = 0;
    for (int slot = 0; slot < RECEIVES; slot++) {
      postReceive(slot);
    }
  }

  private void postReceive(int slot) {
    peer.postRecv(
        new RecvWr()
            .wrId(slot)
            .sgList(new Sge(received.addr() + (long) slot * LONGEST, LONGEST, received.lkey())));
  }

  /** Takes completions, and posts the next batch once all have come. */
  void act(boolean more) {
    while (peerCq.poll(wc)) {
      receive();
    }
    while (cq.poll(wc)) {
      complete();
    }
    if (outstanding == 0 && failed) {
      reconnect();
    }
    if (more && outstanding == 0 && expected.isEmpty()) {
      post();
    }
  }

  /** Whether nothing is under way. */
  boolean isIdle() {
    return outstanding == 0 && expected.isEmpty() && !failed;
  }

  long done() {
    return done;
  }

  long lost() {
    return lost;
  }

  /** Longest time between two completions of a batch, in nanoseconds. */
  long longestGap() {
    return longestGap;
  }

  private void post() {
    SendWr[] wrs = new SendWr[BATCH];
    for (int slot = 0; slot < BATCH; slot++) {
      wrs[slot] = draw(slot);
      if (slot > 0) {
        wrs[slot - 1].next(wrs[slot]);
      }
    }
    outstanding = BATCH;
    progressAt = pair.now();
    qp.postSend(wrs[0]);
  }

  private SendWr draw(int slot) {
    WrOpcode opcode = KINDS[random.nextInt(KINDS.length)];
    boolean atomic = opcode == WrOpcode.ATOMIC_FETCH_AND_ADD;
    int most = random.nextInt(4) == 0 ? 64 : LONGEST;
    int length = atomic ? Long.BYTES : random.nextInt(most + 1);
    Operation op = new Operation(opcode, random.nextInt(Side.CONSTANT - length + 1), length);
    batch[slot] = op;
    if (op.takesReceive()) {
      expected.add(op);
    }
    boolean lands = atomic || opcode == WrOpcode.RDMA_READ;
    MemoryRegion here = lands ? local : from.constant();
    long place = (long) slot * LONGEST;
    SendWr wr =
        new SendWr()
            .wrId(slot)
            .opcode(opcode)
            .sendFlags(SendFlags.SIGNALED)
            .sgList(new Sge(here.addr() + (lands ? place : op.offset()), length, here.lkey()));
    return switch (opcode) {
      case RDMA_READ ->
          wr.rkey(to.constant().rkey()).remoteAddr(to.constant().addr() + op.offset());
      case ATOMIC_FETCH_AND_ADD ->
          wr.rkey(remote.rkey()).remoteAddr(remote.addr() + (long) BATCH * LONGEST).compareAdd(1);
      default -> wr.rkey(remote.rkey()).remoteAddr(remote.addr() + place);
    };
  }

  private void complete() {
    outstanding--;
    if (wc.status() != WcStatus.SUCCESS) {
      assertThat(wc.status()).isIn(WcStatus.RETRY_EXC_ERR, WcStatus.WR_FLUSH_ERR);
      failed = true;
      return;
    }
    assertThat(failed).as("success after an error").isFalse();
    int slot = (int) wc.wrId();
    assertThat(slot).as("order").isEqualTo(BATCH - 1 - outstanding);
    longestGap = Math.max(longestGap, pair.now() - progressAt);
    progressAt = pair.now();
    done++;
    check(slot, batch[slot]);
  }

  private void check(int slot, Operation op) {
    switch (op.opcode()) {
      case RDMA_READ -> check(op, to, local, slot);
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> check(op, from, remote, slot);
      case ATOMIC_FETCH_AND_ADD ->
          assertThat(local.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, (long) slot * LONGEST))
              .as("executed once each")
              .isEqualTo(counter++);
      default -> {}
    }
  }

  private static void check(Operation op, Side source, MemoryRegion landing, int slot) {
    MemorySegment sent = source.constant().memory().asSlice(op.offset(), op.length());
    MemorySegment landed = landing.memory().asSlice((long) slot * LONGEST, op.length());
    assertThat(landed.mismatch(sent)).as("first wrong byte of %s", op).isEqualTo(-1);
  }

  private void receive() {
    if (wc.status() != WcStatus.SUCCESS) {
      assertThat(wc.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
      return;
    }
    int slot = (int) wc.wrId();
    assertThat(slot).as("receives complete in order").isEqualTo(nextReceive);
    nextReceive = (nextReceive + 1) % RECEIVES;
    Operation op = expected.remove();
    assertThat(wc.byteLen()).as("length of %s", op).isEqualTo(op.length());
    if (op.opcode() != WrOpcode.RDMA_WRITE_WITH_IMM) {
      check(op, from, received, slot);
    }
    postReceive(slot);
  }

  private void reconnect() {
    lost++;
    failed = false;
    connection.reset();
    while (peerCq.poll(wc)) {
      // Requests that were under way may have arrived or not.
    }
    expected.clear();
    counter = remote.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, (long) BATCH * LONGEST);
    connect();
  }
}
