package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** A post to a full queue costs one small exception. */
class FullQueueTest {
  private static final int DEPTH = 8;
  private static final int REFUSALS = 1000;
  private static final int ROUNDS = 40;
  private static final long BYTES_EACH = 96;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void aFullReceiveQueueCostsOneSmallException() {
    try (ConnectedQp connected = open()) {
      RecvWr recv = new RecvWr().sgList(connected.mr().sge(64, 0));
      for (int i = 0; i < DEPTH; i++) {
        connected.qp().postRecv(recv);
      }
      assertCheap("max_recv_wr=" + DEPTH, () -> connected.qp().postRecv(recv));
    }
  }

  @Test
  void aFullSendQueueCostsOneSmallException() {
    try (ConnectedQp connected = open()) {
      SendWr write =
          new SendWr()
              .opcode(WrOpcode.RDMA_WRITE)
              .sendFlags(SendFlags.SIGNALED)
              .remoteAddr(connected.mr().addr())
              .rkey(connected.mr().rkey())
              .sgList(connected.mr().sge(64, 1024));
      for (int i = 0; i < DEPTH; i++) {
        connected.qp().postSend(write);
      }
      assertCheap("max_send_wr=" + DEPTH, () -> connected.qp().postSend(write));
    }
  }

  private static ConnectedQp open() {
    return ConnectedQp.open("", new QpCap(DEPTH, DEPTH, 2, 2, 16), SendOps.RDMA_WRITE);
  }

  private void assertCheap(String limit, Runnable post) {
    WorkRequestException full = catchThrowableOfType(WorkRequestException.class, post::run);
    assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
    assertThat(full).hasMessageContaining(limit);
    // Until the JIT compiler has finished, other code allocates.
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least > BYTES_EACH * REFUSALS; round++) {
      least = Math.min(least, allocated(post));
    }
    assertThat(least).as("bytes for %d refusals", REFUSALS).isLessThan(BYTES_EACH * REFUSALS);
  }

  private long allocated(Runnable post) {
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < REFUSALS; i++) {
      try {
        post.run();
      } catch (WorkRequestException e) {
        continue;
      }
      throw new AssertionError("the queue is not full");
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
