package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A post to a full queue costs one small exception. */
class FullQueueTest {
  private static final int DEPTH = 8;
  private static final int REFUSALS = 1000;
  private static final int ROUNDS = 40;
  private static final long BYTES_EACH = 96;
  private static final String POLL = "holds max_send_wr=8 requests that have not completed, or";
  private static final String UNSIGNALED =
      "max_send_wr=8 requests precede this one, all of them unsignaled, so no completion will free"
          + " their slots; make at least one of 8 SIGNALED, or set sqSigAll, and poll its";

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
      SendWr write = write(connected).sendFlags(SendFlags.SIGNALED);
      for (int i = 0; i < DEPTH; i++) {
        connected.qp().postSend(write);
      }
      assertCheap("max_send_wr=" + DEPTH, () -> connected.qp().postSend(write));
    }
  }

  @Test
  void aSendQueueFullOfUnsignaledRequestsSaysThatPollingDoesNotHelp() {
    try (ConnectedQp connected = open()) {
      SendWr write = write(connected).sendFlags(SendFlags.SIGNALED);
      connected.qp().postSend(write);
      write.sendFlags(0);
      for (int i = 1; i < DEPTH; i++) {
        connected.qp().postSend(write);
      }
      assertFull(connected, write, POLL);
      connected.awaitCompletion();
      connected.qp().postSend(write);
      assertFull(connected, write, UNSIGNALED);
      connected.qp().wrStart();
      connected.qp().wrRdmaWrite(connected.mr().rkey(), connected.mr().addr());
      assertThat(catchThrowableOfType(WorkRequestException.class, connected.qp()::wrComplete))
          .hasMessageContaining(UNSIGNALED);
      // The flushed requests have completions, although they are unsignaled.
      connected.qp().modify(new QpAttr().qpState(QpState.ERR));
      assertFull(connected, write, POLL);
    }
  }

  @Test
  void aListOfUnsignaledRequestsThatIsLongerThanTheQueueSaysSo() {
    try (ConnectedQp connected = open()) {
      SendWr list = null;
      for (int i = 0; i <= DEPTH; i++) {
        list = write(connected).wrId(DEPTH - i).next(list);
      }
      WorkRequestException full = assertFull(connected, list, UNSIGNALED);
      assertThat(full.index()).isEqualTo(DEPTH);
    }
  }

  private static SendWr write(ConnectedQp connected) {
    return new SendWr()
        .opcode(WrOpcode.RDMA_WRITE)
        .remoteAddr(connected.mr().addr())
        .rkey(connected.mr().rkey())
        .sgList(connected.mr().sgeAt(1024, 64));
  }

  private static WorkRequestException assertFull(
      ConnectedQp connected, @Nullable SendWr list, String why) {
    WorkRequestException full =
        catchThrowableOfType(WorkRequestException.class, () -> connected.qp().postSend(list));
    assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
    assertThat(full).hasMessageContaining(why);
    return full;
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
