package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datagrams by both posting APIs, from a queue pair to itself, allocate nothing. */
@Timeout(120)
class DatagramHotPathTest {
  private static final int MESSAGES = 5_000;
  private static final int ROUNDS = 60;
  private static final int QKEY = 0x4711;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final WorkCompletion wc = new WorkCompletion();

  @ParameterizedTest
  @CsvSource({"soft, auto, 1", "soft, packet, 2", "ib, auto, 1", "ib, packet, 2"})
  void postingAndPollingDatagramsAllocatesNothing(String kind, String link, int host) {
    // All run at the same time, perhaps beside those of another process.
    String address = "127.202." + ProcessHandle.current().pid() % 250 + "." + host;
    try (Context context = Devices.open(kind + ":" + address + "?link=" + link)) {
      ProtectionDomain pd = context.allocPd();
      CompletionQueue cq = context.createCq(64);
      QueuePairEx qp = pd.createQpEx(QpInitAttr.ud(cq).sendOps(SendOps.SEND));
      qp.modify(new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(1).qkey(QKEY));
      qp.modify(new QpAttr().qpState(QpState.RTR));
      qp.modify(new QpAttr().qpState(QpState.RTS).sqPsn(1));
      MemoryRegion mr = pd.allocMr(4096, Access.LOCAL_WRITE);
      AddressHandle ah = pd.createAh(AhAttr.to(qp.endpoint()));
      SendWr send =
          new SendWr()
              .opcode(WrOpcode.SEND)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(mr.sge(64, 1024))
              .ah(ah)
              .remoteQpn(qp.qpNum())
              .remoteQkey(QKEY);
      RecvWr recv = new RecvWr().sgList(mr.sge(1024, 0));
      // Until the JIT compiler has finished, method handles allocate.
      long least = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS && least > MESSAGES; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MESSAGES; i++) {
          qp.postRecv(recv);
          qp.postSend(send);
          await(cq, 2);
          qp.postRecv(recv);
          qp.wrStart();
          qp.wrId(i).wrFlags(SendFlags.SIGNALED);
          qp.wrSend();
          qp.wrSetUdAddr(ah, qp.qpNum(), QKEY);
          qp.wrSetSge(mr.lkey(), mr.addr() + 1024, 64);
          qp.wrComplete();
          await(cq, 2);
        }
        least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(least).as("bytes for " + 2 * MESSAGES + " datagrams").isLessThan(MESSAGES);
    }
  }

  private void await(CompletionQueue cq, int count) {
    for (int taken = 0; taken < count; ) {
      if (cq.poll(wc)) {
        wc.orThrow();
        taken++;
      }
    }
  }
}
