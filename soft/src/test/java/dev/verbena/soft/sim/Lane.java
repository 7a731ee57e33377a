package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** One direction of a connection with the model of what it should do. */
final class Lane {
  /** Bytes of the memory that the lane may change. */
  static final int TARGET = 32 * 1024;

  /** Bytes of a place where a READ or a receive lands. */
  static final int SLOT = 16 * 1024;

  private static final byte UNTOUCHED = 0x5a;

  /** A posted receive. */
  private record Posted(long wrId, int slot, int capacity) {}

  private final Side from;
  private final Side to;
  private final QueuePairEx sender;
  private final QueuePairEx receiver;
  private final int depth;
  private final boolean impatient;
  private final MemoryRegion landing;
  private final MemoryRegion inbox;
  // Outlives its registration, which may end in the middle of everything.
  private final MemorySegment memory = Arena.ofAuto().allocate(TARGET, 4096);
  private MemoryRegion target;
  private final Shadow shadow = new Shadow(TARGET);
  private final Deque<Planned> outstanding = new ArrayDeque<>();
  private final Deque<Planned> toReceive = new ArrayDeque<>();
  private final List<Planned> uncertain = new ArrayList<>();
  private final Deque<Posted> receives = new ArrayDeque<>();
  private long posted;
  private long reclaimed;
  private long lastSignaled = -1;
  private long nextReceive;
  private boolean failed;
  private boolean failedAsPlanned;
  private boolean disturbed;
  private boolean receiverGone;

  Lane(Side from, Side to, QueuePairEx sender, QueuePairEx receiver, Scenario scenario) {
    this.from = from;
    this.to = to;
    this.sender = sender;
    this.receiver = receiver;
    this.depth = scenario.depth();
    this.impatient = scenario.rnrRetry() < 7;
    landing = from.newLanding(SLOT * depth);
    inbox = to.newLanding(SLOT * depth);
    target = to.newTarget(memory);
  }

  Side from() {
    return from;
  }

  Side to() {
    return to;
  }

  QueuePairEx sender() {
    return sender;
  }

  MemoryRegion target() {
    return target;
  }

  MemoryRegion landing() {
    return landing;
  }

  /** Whether the model says that the send queue has room for this many more. */
  boolean hasRoom(int count) {
    return posted + count - reclaimed <= depth;
  }

  /** Whether a request this far ahead must be signaled, or the queue might never be free again. */
  boolean mustSignal(int ahead) {
    return posted + ahead + 1 - lastSignaled > depth / 2;
  }

  long nextWrId() {
    return posted;
  }

  boolean isIdle() {
    return outstanding.isEmpty();
  }

  boolean hasFailed() {
    return failed;
  }

  /** From now on requests may fail because the connection was broken on purpose. */
  void disturb() {
    disturbed = true;
  }

  /**
   * The sender was reset: what was outstanding may or may not have happened, and nothing more will.
   */
  void senderVanished() {
    uncertain.addAll(outstanding);
    outstanding.clear();
  }

  /** The receiver was reset: its receives are gone. */
  void receiverVanished() {
    receives.clear();
    receiverGone = true;
  }

  void notePosted(Planned planned) {
    outstanding.add(planned);
    if (planned.consumesReceive()) {
      toReceive.add(planned);
    }
    if (planned.signaled) {
      lastSignaled = posted;
    }
    posted++;
  }

  /** Receives that are posted but not needed by what was sent so far. */
  int spareReceives() {
    return receives.size() - toReceive.size();
  }

  boolean canPostReceive() {
    return !receiverGone && receives.size() < depth;
  }

  int slotOffset(long number) {
    return (int) (number % depth) * SLOT;
  }

  void postReceive(int capacity) {
    int slot = slotOffset(nextReceive);
    inbox.memory().asSlice(slot, SLOT).fill(UNTOUCHED);
    long wrId = nextReceive++ | 1L << 62;
    RecvWr wr = new RecvWr().wrId(wrId);
    if (capacity > 2) {
      int cut = capacity / 3;
      wr.sgList(
          new Sge(inbox.addr() + slot, cut, inbox.lkey()),
          new Sge(inbox.addr() + slot + cut, capacity - cut, inbox.lkey()));
    } else {
      wr.sgList(new Sge(inbox.addr() + slot, capacity, inbox.lkey()));
    }
    receiver.postRecv(wr);
    receives.add(new Posted(wrId, slot, capacity));
  }

  /** A completion of a send. */
  void sent(WorkCompletion wc) {
    Planned planned = outstanding.poll();
    while (planned != null && planned.wrId != wc.wrId()) {
      assertThat(planned.signaled).as("%s was passed over by %s", planned, wc).isFalse();
      succeed(planned);
      planned = outstanding.poll();
    }
    assertThat(planned).as("a request for %s", wc).isNotNull();
    reclaimed = wc.wrId() + 1;
    switch (wc.status()) {
      case SUCCESS -> {
        assertThat(failed).as("%s after an error", wc).isFalse();
        assertThat(planned.outcome).as("%s", planned).isEqualTo(WcStatus.SUCCESS);
        assertThat(planned.signaled).as("%s has a completion", planned).isTrue();
        checkFields(planned, wc);
        succeed(planned);
      }
      case WR_FLUSH_ERR -> {
        assertThat(failed || disturbed).as("%s without reason", wc).isTrue();
        failed = true;
        uncertain.add(planned);
      }
      default -> {
        assertThat(failed).as("%s is a second error", wc).isFalse();
        failedAsPlanned = wc.status() == planned.outcome;
        boolean expected = failedAsPlanned || (disturbed && isOfBrokenConnection(wc.status()));
        assertThat(expected).as("%s for %s", wc, planned).isTrue();
        failed = true;
        uncertain.add(planned);
      }
    }
  }

  /** A completion of a receive that the lane's requests use. */
  void received(WorkCompletion wc) {
    Posted place = receives.poll();
    assertThat(place).as("a receive for %s", wc).isNotNull();
    assertThat(wc.wrId()).as("order of receives").isEqualTo(place.wrId);
    switch (wc.status()) {
      case SUCCESS -> checkMessage(place, wc);
      case LOC_LEN_ERR -> {
        Planned planned = toReceive.poll();
        assertThat(planned).as("a SEND for %s", wc).isNotNull();
        assertThat(planned.outcome).as("%s", planned).isEqualTo(WcStatus.REM_INV_REQ_ERR);
        assertThat(planned.length).isGreaterThan(place.capacity);
      }
      default -> assertThat(wc.status()).as("%s", wc).isEqualTo(WcStatus.WR_FLUSH_ERR);
    }
  }

  /** Everything has come to rest without an error: nothing may be missing. */
  void checkAtRest() {
    assertThat(outstanding).as("requests without completion").isEmpty();
    assertThat(toReceive).as("messages that were not received").isEmpty();
    int at = shadow.firstDifference(memory);
    assertThat(at).as("first difference of the target").isEqualTo(-1);
  }

  /** Both queue pairs are in error and all completions were taken. */
  void checkAfterFlush() {
    for (Planned left : outstanding) {
      // Had it not succeeded, it would have been flushed with a completion.
      assertThat(left.signaled).as("%s was lost", left).isFalse();
      succeed(left);
    }
    outstanding.clear();
    assertThat(receives).as("receives that were not flushed").isEmpty();
    checkUncertain();
  }

  /** Both queue pairs were reset: what was outstanding may or may not have happened. */
  void checkAfterReset() {
    uncertain.addAll(outstanding);
    outstanding.clear();
    checkUncertain();
  }

  /** Ends the registration of the target; returns what the memory holds from then on. */
  Shadow deregister() {
    disturbed = true;
    target.dereg();
    Shadow last = new Shadow(TARGET);
    last.adopt(memory);
    return last;
  }

  /** Nothing has touched the memory since its registration ended. */
  void checkUntouchedSince(Shadow last) {
    assertThat(last.firstDifference(memory)).as("first byte touched after dereg").isEqualTo(-1);
  }

  /** The queue pairs start again. */
  void restart() {
    if (target.isClosed()) {
      target = to.newTarget(memory);
    }
    toReceive.clear();
    receives.clear();
    uncertain.clear();
    reclaimed = posted;
    lastSignaled = posted - 1;
    failed = false;
    failedAsPlanned = false;
    disturbed = impatient;
    receiverGone = false;
  }

  private void checkUncertain() {
    for (Planned planned : toReceive) {
      assertThat(uncertain).as("%s succeeded but was not received", planned).contains(planned);
    }
    Shadow before = shadow.copy();
    for (Planned planned : uncertain) {
      Shadow after = before.copy();
      planned.applyTo(after);
      int length = failedAsPlanned ? 0 : planned.changedLength();
      if (before.explains(memory, after, planned.remoteOffset, length)) {
        shadow.adopt(memory);
        return;
      }
      assertThat(failedAsPlanned).as("a refused request changed the target: %s", planned).isFalse();
      before = after;
    }
    assertThat(before.firstDifference(memory))
        .as("first difference of the target that no prefix of %s explains", uncertain)
        .isEqualTo(-1);
    shadow.adopt(memory);
  }

  private void succeed(Planned planned) {
    assertThat(planned.outcome).as("%s succeeded", planned).isEqualTo(WcStatus.SUCCESS);
    byte[] expected = resultOf(planned);
    planned.applyTo(shadow);
    if (expected.length > 0) {
      byte[] found = new byte[expected.length];
      MemorySegment.copy(
          landing.memory(), ValueLayout.JAVA_BYTE, planned.landing, found, 0, found.length);
      assertThat(Arrays.mismatch(found, expected)).as("result of %s", planned).isEqualTo(-1);
    }
  }

  private byte[] resultOf(Planned planned) {
    return switch (planned.opcode) {
      case RDMA_READ ->
          planned.readsConstant
              ? to.constantBytes(planned.remoteOffset, planned.length)
              : shadow.read(planned.remoteOffset, planned.length);
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD ->
          ByteBuffer.allocate(8)
              .order(ByteOrder.nativeOrder())
              .putLong(shadow.word(planned.remoteOffset))
              .array();
      default -> new byte[0];
    };
  }

  private void checkMessage(Posted place, WorkCompletion wc) {
    Planned planned = toReceive.poll();
    assertThat(planned).as("a message for %s", wc).isNotNull();
    assertThat(wc.opcode())
        .as("%s", planned)
        .isEqualTo(planned.isSend() ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM);
    assertThat(wc.byteLen()).as("%s", planned).isEqualTo(planned.length);
    assertThat((wc.wcFlags() & WcFlags.WITH_IMM) != 0).isEqualTo(planned.hasImm());
    if (planned.hasImm()) {
      assertThat(wc.immData()).as("%s", planned).isEqualTo(planned.imm);
    }
    byte[] expected = new byte[SLOT];
    Arrays.fill(expected, UNTOUCHED);
    if (planned.isSend()) {
      System.arraycopy(planned.data, 0, expected, 0, planned.length);
    }
    long mismatch =
        MemorySegment.ofArray(expected).mismatch(inbox.memory().asSlice(place.slot, SLOT));
    assertThat(mismatch).as("first wrong byte of %s", planned).isEqualTo(-1);
  }

  private static void checkFields(Planned planned, WorkCompletion wc) {
    WcOpcode expected =
        switch (planned.opcode) {
          case RDMA_READ -> WcOpcode.RDMA_READ;
          case ATOMIC_CMP_AND_SWP -> WcOpcode.COMP_SWAP;
          case ATOMIC_FETCH_AND_ADD -> WcOpcode.FETCH_ADD;
          case RDMA_WRITE, RDMA_WRITE_WITH_IMM -> WcOpcode.RDMA_WRITE;
          default -> WcOpcode.SEND;
        };
    assertThat(wc.opcode()).isEqualTo(expected);
    if (planned.opcode == WrOpcode.RDMA_READ) {
      assertThat(wc.byteLen()).isEqualTo(planned.length);
    }
  }

  private static boolean isOfBrokenConnection(WcStatus status) {
    return status == WcStatus.RETRY_EXC_ERR
        || status == WcStatus.RNR_RETRY_EXC_ERR
        || status == WcStatus.REM_ACCESS_ERR;
  }
}
