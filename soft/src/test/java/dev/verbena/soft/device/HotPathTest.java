package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class HotPathTest {
  private static final int MESSAGES = 10_000;
  private static final int ROUNDS = 40;
  private static final int OPS =
      SendOps.RDMA_WRITE
          | SendOps.RDMA_READ
          | SendOps.ATOMIC_FETCH_AND_ADD
          | SendOps.ATOMIC_CMP_AND_SWP;

  @ParameterizedTest
  @ValueSource(strings = {"", "?link=packet"})
  void postingAndPollingAllocatesNothing(String options) {
    try (ConnectedQp connected = ConnectedQp.open(options, new QpCap(8, 8, 2, 2, 16), OPS)) {
      expectNoAllocation(new Sender(connected));
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "datagrams by DatagramChannel allocate")
  void postingAndPollingDatagramsOfTheSystemAllocatesNothing() {
    postingAndPollingAllocatesNothing("?link=udp");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "link=shm makes system calls of Linux")
  void writingAndChangingMappedMemoryAllocatesNothing() {
    try (ConnectedQp connected = ConnectedQp.open("?link=shm", new QpCap(8, 8, 2, 2, 16), OPS)) {
      expectNoAllocation(new Sender(connected));
      assertThat(connected.qp().counters().get(Counter.DIRECT_MESSAGES))
          .as("WRITEs, READs and both atomics of each message; its SEND is a packet")
          .isGreaterThanOrEqualTo(4 * MESSAGES);
    }
  }

  private static void expectNoAllocation(Sender sender) {
    // Until the JIT compiler has finished, method handles allocate.
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS && least > MESSAGES; round++) {
      least = Math.min(least, sender.allocated());
    }
    assertThat(least).as("bytes for " + MESSAGES + " messages").isLessThan(MESSAGES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?link=packet"})
  void receivesOfASharedQueueAllocateNothing(String options) {
    try (ConnectedQp connected = ConnectedQp.open(options, new QpCap(8, 8, 2, 2, 16), OPS)) {
      SharedReceiveQueue srq = connected.pd().createSrq(SrqInitAttr.basic(8, 2));
      expectNoAllocation(new Sender(connected.sharing(srq), srq));
    }
  }

  /** Sends to itself, by both posting APIs in turn. */
  private static final class Sender {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ConnectedQp connected;
    private final WorkCompletion wc = new WorkCompletion();
    private final RecvWr recv;
    private final SendWr send;
    private final @Nullable SharedReceiveQueue srq;

    Sender(ConnectedQp connected) {
      this(connected, null);
    }

    Sender(ConnectedQp connected, @Nullable SharedReceiveQueue srq) {
      this.connected = connected;
      this.srq = srq;
      Sge whole = connected.mr().sge(64, 0);
      recv = new RecvWr().sgList(whole);
      send =
          new SendWr()
              .opcode(WrOpcode.SEND)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(connected.mr().sge(64, 1024));
    }

    long allocated() {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < MESSAGES; i++) {
        if (srq == null) {
          connected.qp().postRecv(recv);
        } else {
          srq.postRecv(recv);
        }
        connected.qp().postSend(send);
        await(2);
        write(i);
        await(1);
        read(i);
        await(1);
        add(i);
        await(1);
        swap(i);
        await(1);
      }
      return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private void write(long id) {
      begin(id).wrRdmaWrite(connected.mr().rkey(), connected.mr().addr());
      end(64);
    }

    private void read(long id) {
      begin(id).wrRdmaRead(connected.mr().rkey(), connected.mr().addr());
      end(64);
    }

    private void add(long id) {
      begin(id).wrAtomicFetchAdd(connected.mr().rkey(), connected.mr().addr(), 1);
      end(Long.BYTES);
    }

    private void swap(long id) {
      begin(id).wrAtomicCmpSwp(connected.mr().rkey(), connected.mr().addr(), id, id);
      end(Long.BYTES);
    }

    private QueuePairEx begin(long id) {
      connected.qp().wrStart();
      connected.qp().wrId(id).wrFlags(SendFlags.SIGNALED);
      return connected.qp();
    }

    private void end(int bytes) {
      connected.qp().wrSetSge(connected.mr().lkey(), connected.mr().addr() + 1024, bytes);
      connected.qp().wrComplete();
    }

    private void await(int count) {
      for (int taken = 0; taken < count; ) {
        if (connected.cq().poll(wc)) {
          assertThatIsSuccess();
          taken++;
        }
      }
    }

    private void assertThatIsSuccess() {
      if (!wc.isSuccess()) {
        throw new AssertionError(wc.toString());
      }
    }
  }
}
