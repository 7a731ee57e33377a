package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.CompletionQueueEx;
import dev.verbena.verbs.CqInitAttrEx;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcExFlags;
import dev.verbena.verbs.WcStatus;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class CursorPathTest {
  private static final int MESSAGES = 10_000;
  private static final int ROUNDS = 40;
  private static final QpCap CAP = new QpCap(8, 8, 2, 2, 16);
  private static final int FIELDS =
      WcExFlags.STANDARD_FLAGS
          | WcExFlags.COMPLETION_TIMESTAMP
          | WcExFlags.COMPLETION_TIMESTAMP_WALLCLOCK;

  @ParameterizedTest
  @ValueSource(strings = {"", "?link=packet"})
  void readingWithACursorAllocatesNothing(String options) {
    try (ConnectedQp connected = ConnectedQp.open(options, CAP, SendOps.SEND_WITH_IMM)) {
      CompletionQueueEx cq = connected.context().createCqEx(new CqInitAttrEx(64).wcFlags(FIELDS));
      QueuePairEx qp =
          connected.pd().createQpEx(QpInitAttr.rc(cq).cap(CAP).sendOps(SendOps.SEND_WITH_IMM));
      qp.connect(qp.endpoint(), ConnectedQp.ACCESS);
      Reader reader = new Reader(qp, cq);
      // Until the JIT compiler has finished, method handles allocate.
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS && least > MESSAGES; round++) {
        least = Math.min(least, reader.allocated());
      }
      assertThat(least).as("bytes for " + MESSAGES + " messages").isLessThan(MESSAGES);
    }
  }

  /** Sends empty messages to itself and reads everything of both completions. */
  private static final class Reader {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final QueuePairEx qp;
    private final CompletionQueueEx cq;
    private final RecvWr recv = new RecvWr();

    Reader(QueuePairEx qp, CompletionQueueEx cq) {
      this.qp = qp;
      this.cq = cq;
    }

    long allocated() {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < MESSAGES; i++) {
        qp.postRecv(recv);
        qp.wrStart();
        qp.wrId(i).wrFlags(SendFlags.SIGNALED);
        qp.wrSendImm(i);
        qp.wrSetSge(0, 0, 0);
        qp.wrComplete();
        for (int taken = 0; taken < 2; ) {
          taken += read();
        }
      }
      return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private int read() {
      if (!cq.startPoll()) {
        return 0;
      }
      int visited = 0;
      long sum = 0;
      do {
        if (cq.status() != WcStatus.SUCCESS) {
          throw new AssertionError("wr_id " + cq.wrId() + ": " + cq.status());
        }
        sum += cq.readOpcode().number() + cq.readVendorErr() + cq.readWcFlags();
        sum += cq.readByteLen() + cq.readImmData() + cq.readInvalidatedRkey() + cq.readQpNum();
        sum += cq.readSrcQp() + cq.readSlid() + cq.readSl() + cq.readDlidPathBits();
        sum += cq.readCompletionTs() - cq.readCompletionWallclockNs();
        visited++;
      } while (cq.nextPoll());
      cq.endPoll();
      if (sum > 0) {
        throw new AssertionError("the wall clock is before the clock since the start");
      }
      return visited;
    }
  }
}
