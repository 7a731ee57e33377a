package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/** One of two ends that WRITE 8 bytes to each other in turn, each polling its own memory. */
final class MemoryPingPong {
  /** Bytes of a message. */
  static final int BYTES = 8;

  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();
  private static final int TURNS = 1000;
  private static final byte END = -1;
  private static final int POLLS_PER_CLOCK = 1 << 20;
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

  private final QueuePair qp;
  private final CompletionQueue cq;
  private final MemorySegment source;
  private final MemorySegment target;
  private final SendWr write;
  private final WorkCompletion wc = new WorkCompletion();

  /**
   * @param target where the other end writes
   * @param addr where this end writes, by {@code rkey}
   */
  MemoryPingPong(
      ProtectionDomain pd,
      QueuePair qp,
      CompletionQueue cq,
      MemorySegment target,
      long addr,
      int rkey) {
    this.qp = qp;
    this.cq = cq;
    this.target = target;
    MemoryRegion region = pd.allocMr(BYTES, Access.LOCAL_WRITE);
    source = region.memory();
    write =
        new SendWr()
            .opcode(WrOpcode.RDMA_WRITE)
            .sgList(region.sge(BYTES, 0))
            .remoteAddr(addr)
            .rkey(rkey)
            .sendFlags(SendFlags.SIGNALED);
  }

  /** Starts each turn, as long as the pace goes on; measures ns one way. */
  Figure lead(Pace pace) {
    byte turn = 0;
    while (pace.goesOn()) {
      for (int i = 0; i < TURNS; i++) {
        turn = next(turn);
        send(turn);
        await(turn);
      }
      pace.did(TURNS);
    }
    Figure figure = pace.figure(TimeUnit.SECONDS.toNanos(1) / pace.perSecond() / 2);
    send(END);
    return figure;
  }

  /** Answers until the other end stops. */
  void follow() {
    for (byte turn = next((byte) 0); await(turn); turn = next(turn)) {
      send(turn);
    }
  }

  private static byte next(byte turn) {
    return (byte) (turn % Byte.MAX_VALUE + 1);
  }

  private void send(byte turn) {
    source.set(ValueLayout.JAVA_BYTE, BYTES - 1, turn);
    qp.postSend(write);
    while (!cq.poll(wc)) {
      Thread.onSpinWait();
    }
    if (!wc.isSuccess()) {
      throw ToolException.failure("a WRITE has failed: " + wc);
    }
  }

  /** Waits for a turn; false if the other end stops. */
  private boolean await(byte turn) {
    long deadline = System.nanoTime() + PATIENCE;
    for (int polls = 1; ; polls++) {
      byte seen = (byte) BYTE.getAcquire(target, (long) BYTES - 1);
      if (seen == turn || seen == END) {
        return seen == turn;
      }
      if (polls % POLLS_PER_CLOCK == 0 && System.nanoTime() - deadline > 0) {
        throw ToolException.failure("the other end does not answer");
      }
      Thread.onSpinWait();
    }
  }
}
