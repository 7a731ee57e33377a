package dev.verbena.tck.torture;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * Two queue pairs, of which the left one posts batches of operations. Each operation of a batch has
 * a slot of its own in the memory of both sides, so that all of its bytes can be looked at when the
 * batch is done. If the connection is lost it is made anew. Used by one thread.
 */
final class Lane {
  private static final int RIGHTS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
  private static final WrOpcode[] KINDS = {
    WrOpcode.SEND,
    WrOpcode.SEND_WITH_IMM,
    WrOpcode.RDMA_WRITE,
    WrOpcode.RDMA_WRITE_WITH_IMM,
    WrOpcode.RDMA_READ,
    WrOpcode.RDMA_READ,
    WrOpcode.ATOMIC_FETCH_AND_ADD,
    WrOpcode.ATOMIC_CMP_AND_SWP
  };

  /** Bytes behind each message that must stay as they were. */
  private static final int GUARD = 64;

  /** The guard's content: a message that there never is. */
  private static final long NOBODY = (1L << 43) - 1;

  private final Options options;
  private final int number;
  private final CompletionQueue leftCq;
  private final CompletionQueue rightCq;
  private final QueuePair left;
  private final QueuePair right;
  private final MemoryRegion leftMr;
  private final MemoryRegion rightMr;
  private final MemoryRegion received;
  private final long slotBytes;
  private final SplittableRandom random;
  private final Operation[] batch;
  private final Deque<Expected> expected = new ArrayDeque<>();
  private final WorkCompletion wc = new WorkCompletion();

  /** What a slot looks like into which nothing was written. */
  private final MemorySegment untouched;

  private int outstanding;
  private int nextReceive;
  private boolean failed;
  private long messages;
  private long counter;
  private long done;
  private long lost;
  private long progressAt;
  private long longestGap;

  /** An operation of the batch that is under way. */
  private static final class Operation {
    WrOpcode opcode = WrOpcode.SEND;
    int length;
    long message;
    long original;
    boolean completed;
  }

  Lane(Options options, int number, ProtectionDomain leftPd, ProtectionDomain rightPd) {
    this.options = options;
    this.number = number;
    int batchSize = options.batch();
    leftCq = leftPd.context().createCq(2 * batchSize + 2);
    rightCq = rightPd.context().createCq(4 * batchSize + 2);
    left = create(leftPd, leftCq, batchSize);
    right = create(rightPd, rightCq, batchSize);
    slotBytes = (long) options.size() + GUARD;
    leftMr = leftPd.allocMr(batchSize * slotBytes, Access.LOCAL_WRITE);
    // The last word is for the atomics.
    rightMr = rightPd.allocMr(batchSize * slotBytes + Long.BYTES, Access.LOCAL_WRITE, RIGHTS);
    received = rightPd.allocMr(2 * (batchSize * slotBytes), Access.LOCAL_WRITE);
    random = new SplittableRandom(options.seed() * 1000 + number);
    batch = new Operation[batchSize];
    for (int i = 0; i < batchSize; i++) {
      batch[i] = new Operation();
    }
    untouched = MemorySegment.ofArray(new byte[(int) slotBytes]);
    Pattern.fill(untouched, NOBODY);
    connect();
    progressAt = System.nanoTime();
  }

  private static QueuePair create(ProtectionDomain pd, CompletionQueue cq, int batch) {
    return pd.createQp(QpInitAttr.rc(cq).maxSendWr(batch).maxRecvWr(2 * batch));
  }

  private void connect() {
    connect(left, right.endpoint());
    connect(right, left.endpoint());
    nextReceive = 0;
    for (int i = 0; i < 2 * options.batch(); i++) {
      postReceive(i);
    }
  }

  private void connect(QueuePair qp, QpEndpoint peer) {
    qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(RIGHTS));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTR)
            .ahAttr(AhAttr.to(peer.gid()))
            .pathMtu(options.mtu())
            .destQpNum(peer.qpNum())
            .rqPsn(peer.psn())
            .maxDestRdAtomic(8)
            .minRnrTimer(12));
    qp.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .sqPsn(qp.endpoint().psn())
            .timeout(options.timeout())
            .retryCnt(options.retries())
            .rnrRetry(7)
            .maxRdAtomic(8));
  }

  private void postReceive(int slot) {
    MemorySegment place = received.memory().asSlice(slot * slotBytes, slotBytes);
    place.copyFrom(untouched);
    right.postRecv(
        new RecvWr()
            .wrId(slot)
            .sgList(new Sge(received.addr() + slot * slotBytes, options.size(), received.lkey())));
  }

  /** Looks for completions, and posts the next batch if all have come. */
  void act(boolean more) {
    while (rightCq.poll(wc)) {
      receive();
    }
    while (leftCq.poll(wc)) {
      complete();
    }
    if (outstanding > 0) {
      return;
    }
    if (failed) {
      reconnect();
    }
    if (more && expected.isEmpty()) {
      postBatch();
    }
  }

  /** Whether nothing is under way. */
  boolean isIdle() {
    return outstanding == 0 && expected.isEmpty() && !failed;
  }

  private void postBatch() {
    SendWr[] wrs = new SendWr[batch.length];
    for (int i = 0; i < batch.length; i++) {
      wrs[i] = draw(i);
      if (i > 0) {
        wrs[i - 1].next(wrs[i]);
      }
    }
    outstanding = batch.length;
    progressAt = System.nanoTime();
    left.postSend(wrs[0]);
  }

  private SendWr draw(int slot) {
    Operation op = batch[slot];
    op.opcode = KINDS[random.nextInt(KINDS.length)];
    op.length = random.nextInt(4) == 0 ? random.nextInt(64) : random.nextInt(options.size() + 1);
    op.message = (messages++ << 10 | number) & (NOBODY >> 1);
    op.completed = false;
    MemorySegment local = leftMr.memory().asSlice(slot * slotBytes, slotBytes);
    MemorySegment remote = rightMr.memory().asSlice(slot * slotBytes, slotBytes);
    local.copyFrom(untouched);
    remote.copyFrom(untouched);
    SendWr wr =
        new SendWr()
            .wrId(slot)
            .opcode(op.opcode)
            .sendFlags(SendFlags.SIGNALED)
            .rkey(rightMr.rkey())
            .remoteAddr(rightMr.addr() + slot * slotBytes);
    switch (op.opcode) {
      case SEND, SEND_WITH_IMM, RDMA_WRITE, RDMA_WRITE_WITH_IMM ->
          Pattern.fill(local.asSlice(0, op.length), op.message);
      case RDMA_READ -> Pattern.fill(remote.asSlice(0, op.length), op.message);
      default -> drawAtomic(op, wr);
    }
    boolean imm = op.opcode == WrOpcode.SEND_WITH_IMM || op.opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    if (imm || op.opcode == WrOpcode.SEND) {
      wr.immData((int) op.message);
      boolean data = op.opcode != WrOpcode.RDMA_WRITE_WITH_IMM;
      expected.add(new Expected(op.message, op.length, imm, data));
    }
    return wr.sgList(new Sge(leftMr.addr() + slot * slotBytes, op.length, leftMr.lkey()));
  }

  private void drawAtomic(Operation op, SendWr wr) {
    op.length = Long.BYTES;
    op.original = counter;
    wr.remoteAddr(rightMr.addr() + batch.length * slotBytes);
    if (op.opcode == WrOpcode.ATOMIC_FETCH_AND_ADD) {
      long add = random.nextLong();
      wr.compareAdd(add);
      counter += add;
    } else {
      boolean matches = random.nextInt(4) != 0;
      long swap = random.nextLong();
      wr.compareAdd(matches ? counter : ~counter).swap(swap);
      counter = matches ? swap : counter;
    }
  }

  private void complete() {
    outstanding--;
    Operation op = batch[(int) wc.wrId()];
    require(!op.completed, "a second completion of slot %d".formatted(wc.wrId()));
    op.completed = true;
    if (wc.status() == WcStatus.SUCCESS) {
      require(!failed, "success after an error");
      noteProgress();
      check((int) wc.wrId(), op);
      done++;
    } else {
      if (!failed) {
        System.out.printf(
            "lane %d lost its connection: %s for %s of %d bytes, message %d%n",
            number, wc.status(), op.opcode, op.length, op.message);
        require(wc.status() == WcStatus.RETRY_EXC_ERR, "the error is " + wc);
      }
      failed = true;
    }
  }

  private void noteProgress() {
    long now = System.nanoTime();
    longestGap = Math.max(longestGap, now - progressAt);
    progressAt = now;
  }

  private void check(int slot, Operation op) {
    MemorySegment local = leftMr.memory().asSlice(slot * slotBytes, slotBytes);
    MemorySegment remote = rightMr.memory().asSlice(slot * slotBytes, slotBytes);
    switch (op.opcode) {
      case RDMA_READ -> checkMessage(op, local, op.length);
      case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> checkMessage(op, remote, op.length);
      case ATOMIC_FETCH_AND_ADD, ATOMIC_CMP_AND_SWP -> {
        long found = local.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        require(
            found == op.original,
            "%s of message %d has found %x instead of %x"
                .formatted(op.opcode, op.message, found, op.original));
      }
      default -> checkMessage(op, remote, 0);
    }
  }

  private void checkMessage(Operation op, MemorySegment place, int length) {
    checkMessage(op.opcode + " of message " + op.message, place, op.message, length);
  }

  private void checkMessage(String what, MemorySegment place, long message, int length) {
    String problem = Pattern.problem(place.asSlice(0, length), message);
    require(problem.isEmpty(), what + ": " + problem);
    MemorySegment behind = place.asSlice(length, GUARD);
    long changed = behind.mismatch(untouched.asSlice(length, GUARD));
    require(changed < 0, what + " has changed byte " + changed + " behind its " + length);
  }

  private void receive() {
    int slot = (int) wc.wrId();
    if (wc.status() != WcStatus.SUCCESS) {
      require(failed || wc.status() == WcStatus.WR_FLUSH_ERR, "a receive has ended with " + wc);
      return;
    }
    require(slot == nextReceive, "receives complete out of order: " + wc);
    nextReceive = (nextReceive + 1) % (2 * batch.length);
    Expected next = expected.poll();
    if (next == null) {
      throw problem("a message too many: " + wc);
    }
    MemorySegment place = received.memory().asSlice(slot * slotBytes, slotBytes);
    require(wc.byteLen() == next.length(), "length of message " + next + ": " + wc);
    require(((wc.wcFlags() & WcFlags.WITH_IMM) != 0) == next.withImm(), next + ": " + wc);
    require(!next.withImm() || wc.immData() == (int) next.message(), next + ": " + wc);
    checkMessage("received " + next, place, next.message(), next.data() ? next.length() : 0);
    postReceive(slot);
  }

  private void reconnect() {
    lost++;
    failed = false;
    left.modify(new QpAttr().qpState(QpState.RESET));
    right.modify(new QpAttr().qpState(QpState.RESET));
    while (rightCq.poll(wc)) {
      if (wc.status() == WcStatus.SUCCESS) {
        receive();
      }
    }
    // What was under way may have happened or not.
    expected.clear();
    counter = word();
    connect();
  }

  /** Everything was answered: what the atomics have left is known. */
  void checkAtRest() {
    require(word() == counter, "the word is %x instead of %x".formatted(word(), counter));
  }

  private long word() {
    return rightMr.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, batch.length * slotBytes);
  }

  long done() {
    return done;
  }

  long lost() {
    return lost;
  }

  /** Longest time from one completion of a batch to the next, in nanoseconds. */
  long longestGap() {
    return longestGap;
  }

  private void require(boolean condition, String message) {
    if (!condition) {
      throw problem(message);
    }
  }

  private AssertionError problem(String message) {
    return new AssertionError("seed " + options.seed() + ", lane " + number + ": " + message);
  }
}
