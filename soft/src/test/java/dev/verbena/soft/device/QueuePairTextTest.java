package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The text descriptions of queue pairs. */
@Timeout(30)
class QueuePairTextTest {
  private final Context context = Devices.open("soft:10.9.1.61?link=packet");
  private final ProtectionDomain pd = context.allocPd();
  private final CompletionQueue cq = context.createCq(16);
  private final QpInitAttr init = QpInitAttr.rc(cq).cap(new QpCap(4, 4, 1, 1, 0));

  @AfterEach
  void close() {
    context.close();
  }

  /** Connected to itself, so that it can send to a peer that never posts a receive. */
  private QueuePair connected() {
    QueuePair qp = pd.createQp(init);
    qp.connect(qp.endpoint(), 0);
    return qp;
  }

  private static String number(QueuePair qp) {
    return "0x" + Integer.toHexString(qp.qpNum());
  }

  private void send(QueuePair qp) {
    MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
    qp.postSend(
        new SendWr()
            .wrId(7)
            .opcode(WrOpcode.SEND)
            .sendFlags(SendFlags.SIGNALED)
            .sgList(mr.sge(5, 0)));
  }

  @Test
  void aQueuePairSaysInOneLineWhatItIsAndWhoIsItsPeer() {
    QueuePair qp = pd.createQp(init);
    assertThat(qp).hasToString("QP " + number(qp) + " RC RESET");
    qp.connect(qp.endpoint(), 0);
    assertThat(qp).hasToString("QP " + number(qp) + " RC RTS -> 10.9.1.61 qpn " + number(qp));
  }

  @Test
  void aQueuePairAtRestWaitsForNothing() {
    QueuePair qp = connected();
    assertThat(qp.dump())
        .startsWith(qp + "\n")
        .contains("sends:     0 of 4 not complete\n")
        .contains("waits for: nothing\n")
        .contains("receives:  0 of 4 posted\n")
        .contains("no message under way");
  }

  @Test
  void aQueuePairSaysWhichWayItsMessagesGo() {
    QueuePair fresh = pd.createQp(init);
    assertThat(fresh.dump()).doesNotContain("path:");
    assertThat(connected().dump())
        .contains("\n  path:      packets, because the device's link carries nothing else\n");
    for (String[] way :
        new String[][] {
          {"", "loopback"},
          {"?faults=drop:0.1", "packets, because the device has faults"},
          {"?link=packet", "packets, because the device's link carries nothing else"}
        }) {
      try (Context other = Devices.open("soft:" + ConnectedQp.address(240) + way[0])) {
        CompletionQueue ring = other.createCq(16);
        QueuePair qp = other.allocPd().createQp(QpInitAttr.rc(ring));
        qp.connect(qp.endpoint(), 0);
        assertThat(qp.dump()).contains("\n  path:      " + way[1] + "\n");
        QueuePair ud = other.allocPd().createQp(QpInitAttr.ud(ring));
        assertThat(ud.dump())
            .contains("\n  path:      loopback or packets, chosen for each datagram\n");
      }
    }
  }

  @Test
  void aQueuePairWhosePeerPostsNoReceiveSaysThatItWaitsForIt() {
    QueuePair qp = connected();
    send(qp);
    String psn = "psn " + qp.endpoint().psn();
    String waiting = "waits for: the peer to post a receive, for " + psn + "\n";
    assertThat(dumpWith(qp, waiting))
        .contains(waiting)
        .contains("1 of 4 not complete, the oldest SEND wr_id 7 " + psn + " signaled, 5 bytes\n")
        .contains("READs and atomics of")
        .contains(" of any number, timer in ");
  }

  private static SendWr write(MemoryRegion mr, Sge from) {
    return new SendWr()
        .wrId(8)
        .opcode(WrOpcode.RDMA_WRITE)
        .remoteAddr(mr.addr())
        .rkey(mr.rkey())
        .sgList(from);
  }

  /** Drives the device until a dump contains this text, and returns the dump. */
  private String dumpWith(QueuePair qp, String text) {
    String dump = qp.dump();
    while (!dump.contains(text) && !Thread.currentThread().isInterrupted()) {
      cq.poll(new WorkCompletion());
      dump = qp.dump();
    }
    return dump;
  }

  @Test
  void aQueuePairInErrorSaysWhichRequestHasFailed() {
    QueuePair qp = connected();
    MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
    qp.postSend(write(mr, new Sge(mr.addr(), 5, mr.lkey() ^ 0x5500)));
    String expected =
        "  in error:  RDMA_WRITE wr_id 8 ended with LOC_PROT_ERR: no region has this key\n";
    assertThat(dumpWith(qp, expected))
        .startsWith("QP " + number(qp) + " RC ERR")
        .contains(expected);
  }

  @Test
  void aQueuePairInErrorSaysWhatItHasRefused() {
    QueuePair qp = connected();
    MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
    qp.postSend(write(mr, mr.sge(5, 0)));
    String expected =
        "  in error:  WRITE from 10.9.1.61 QP "
            + number(qp)
            + " refused: this queue pair was connected without REMOTE_WRITE\n";
    assertThat(dumpWith(qp, expected)).contains(expected);
  }

  @Test
  void aQueuePairSaysIfTheProgramHasMovedItToError() {
    QueuePair qp = connected();
    assertThat(qp.dump()).doesNotContain("in error");
    qp.modify(new QpAttr().qpState(QpState.ERR));
    assertThat(qp.dump()).contains("  in error:  the program moved it there\n");
  }

  @Test
  void receivesOfASharedQueueAreCountedThere() {
    SharedReceiveQueue srq = pd.createSrq(SrqInitAttr.basic(8, 1));
    QueuePair qp = pd.createQp(QpInitAttr.rc(cq).cap(new QpCap(4, 4, 1, 1, 0)).srq(srq));
    srq.postRecv(new RecvWr().wrId(1));
    assertThat(qp.dump())
        .contains("  receives:  1 of " + srq.query().maxWr() + " posted to the shared queue\n");
  }

  @Test
  void aQueuePairSaysWhatItAllowsToItsPeer() {
    QueuePair qp = connected();
    assertThat(qp.dump()).contains("  allows:    no access to memory\n");
    QueuePair open = pd.createQp(init);
    open.connect(open.endpoint(), Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    assertThat(open.dump()).contains("  allows:    REMOTE_WRITE and REMOTE_ATOMIC\n");
  }

  @Test
  void aDatagramQueuePairSaysWhatItTakesAndWhatItHasDropped() {
    QueuePair from = pd.createQp(QpInitAttr.ud(cq));
    QueuePair to = pd.createQp(QpInitAttr.ud(cq));
    from.toRts(5);
    to.toRts(6);
    assertThat(to.dump()).contains("  responder: takes Q_Key 0x6\n").doesNotContain("dropped:");
    MemoryRegion mr = pd.allocMr(64, Access.LOCAL_WRITE);
    SendWr wr =
        new SendWr()
            .opcode(WrOpcode.SEND)
            .ah(pd.createAh(AhAttr.to(to.endpoint())))
            .remoteQpn(to.qpNum())
            .sgList(mr.sge(5, 0));
    from.postSend(wr.remoteQkey(5));
    assertThat(dumpWith(to, "1 QKEY")).contains("  dropped:   1 QKEY\n");
    from.postSend(wr.remoteQkey(6));
    assertThat(dumpWith(to, "NO_RECEIVE"))
        .contains("  dropped:   1 NO_RECEIVE, 1 QKEY\n")
        .doesNotContain("retries:")
        .doesNotContain("READs")
        .doesNotContain("psn 0");
  }

  @Test
  void anOpenBatchHindersNobodyToAsk() {
    QueuePairEx qp = pd.createQpEx(init.sendOps(SendOps.SEND));
    qp.connect(qp.endpoint(), 0);
    qp.wrStart();
    assertThat(qp.dump())
        .startsWith("QP " + number(qp) + " RC " + QpState.RTS)
        .contains(
            "  batch:     thread " + Thread.currentThread().getName() + " has called wrStart");
    qp.wrAbort();
    assertThat(qp.dump()).doesNotContain("batch:");
  }

  @Test
  void aClosedQueuePairSaysThatItIsClosed() {
    QueuePair qp = connected();
    String number = number(qp);
    qp.close();
    assertThat(qp).hasToString("QP " + number + " RC closed");
    assertThat(qp.dump()).isEqualTo("QP " + number + " is closed\n");
  }
}
