package dev.verbena.tck.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Await;
import dev.verbena.tck.kit.Frames;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.tck.kit.pairs.Station;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RawPacketCaps;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.RssCaps;
import dev.verbena.verbs.RwqIndTable;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.RxHashFields;
import dev.verbena.verbs.RxHashFunction;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WqFlags;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.WqState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Work queues, and queue pairs that spread frames over them by a hash (S9.8). */
@ResourceLock(Station.SEGMENT)
@Proves("S9.8")
final class WorkQueueTest {
  private static final int QUEUES = 4;
  private static final int FRAMES = 64;
  private static final int FRAME = 64;
  private static final long ADDRESSES = RxHashFields.SRC_IPV4 | RxHashFields.DST_IPV4;

  /** Those that could be opened. */
  private final List<Station> stations = new ArrayList<>();

  private Station a;
  private Station b;
  private Context context;
  private ProtectionDomain pd;
  private CompletionQueue cq;

  @BeforeEach
  void open() {
    a = open(stations);
    b = open(stations);
    context = b.end().context();
    pd = b.end().pd();
    cq = context.createCq(QUEUES * FRAMES);
    RssCaps caps = context.queryDeviceEx().rssCaps();
    if (caps.maxRwqIndirectionTables() == 0) {
      Refused.of(() -> wq(1), Errno.EOPNOTSUPP).from("createWq").naming("max_wq_type_rq");
      Refused.of(() -> context.createRwqIndTable(List.of()), Errno.EOPNOTSUPP)
          .from("createRwqIndTable")
          .naming("max_rwq_indirection_tables");
    }
    assumeTrue(caps.maxRwqIndirectionTables() > 0, "the device has no work queues");
  }

  private static Station open(List<Station> opened) {
    Station station = Station.open();
    opened.add(station);
    return station;
  }

  @AfterEach
  void close() {
    stations.forEach(Station::close);
  }

  private WorkQueue wq(int maxWr) {
    return context.createWq(new WqInitAttr(pd, cq).maxWr(maxWr).maxSge(1));
  }

  private WorkQueue ready(int receives) {
    WorkQueue wq = wq(receives);
    wq.modify(WqState.RDY);
    post(wq, receives);
    return wq;
  }

  private void post(WorkQueue wq, int receives) {
    for (int i = 0; i < receives; i++) {
      wq.postRecv(new RecvWr().wrId(i).sgList(b.end().sge(Station.HALF, FRAME)));
    }
  }

  private static byte[] key() {
    byte[] key = new byte[40];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (0x6d + 41 * i);
    }
    return key;
  }

  private static RxHashConf toeplitz(long... fields) {
    return new RxHashConf(RxHashFunction.TOEPLITZ, key(), fields);
  }

  private static QpInitAttr hashing(RwqIndTable table, RxHashConf conf) {
    return new QpInitAttr(QpType.RAW_PACKET).rxHash(table, conf);
  }

  private Flow flow(QueuePair qp) {
    return qp.createFlow(FlowAttr.normal(new FlowSpecEth().dstMac(b.mac())));
  }

  private byte[] frame(int source) {
    byte[] ip = Frames.ipv4(Frames.UDP, Frames.udp(0).length);
    byte[] src = Frames.dword(source);
    System.arraycopy(src, 0, ip, 12, src.length);
    byte[] ether = Frames.ethernet(b.mac(), a.mac(), Frames.IPV4);
    return Frames.join(ether, ip, Frames.udp(0), new byte[FRAME - 14 - 20 - 8]);
  }

  private static int bit(byte[] bytes, int at) {
    return (bytes[at / 8] >> (7 - (at % 8))) & 1;
  }

  /** Bit by bit: each set bit adds the 32 bits of the key from its place on. */
  private static int hash(byte[] key, byte[] input) {
    int sum = 0;
    for (int bit = 0; bit < input.length * Byte.SIZE; bit++) {
      if (bit(input, bit) != 0) {
        int window = 0;
        for (int i = 0; i < Integer.SIZE; i++) {
          window = (window << 1) | bit(key, bit + i);
        }
        sum ^= window;
      }
    }
    return sum;
  }

  @Test
  void theLowerBitsOfTheHashChooseTheQueue() {
    List<WorkQueue> table = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      table.add(ready(FRAMES));
    }
    QueuePair qp = pd.createQp(hashing(context.createRwqIndTable(table), toeplitz(ADDRESSES)));
    flow(qp);
    int used = 0;
    for (int i = 0; i < FRAMES; i++) {
      byte[] frame = frame(0x0a000100 + 7 * i);
      a.send(frame);
      WorkCompletion wc = Await.completion(cq, "frame " + i);
      byte[] input = Frames.join(Frames.dword(0x0a000100 + 7 * i), Frames.dword(0x0a000002));
      int entry = hash(key(), input) & QUEUES - 1;
      assertThat(wc.status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV);
      assertThat(wc.byteLen()).isEqualTo(FRAME);
      assertThat(wc.qpNum()).as("frame %d", i).isEqualTo(table.get(entry).wqNum());
      assertThat(b.end().bytes(Station.HALF, FRAME)).isEqualTo(frame);
      used |= 1 << entry;
    }
    assertThat(used).as("all entries").isEqualTo((1 << QUEUES) - 1);
    assertThat(cq.poll(new WorkCompletion())).isFalse();
  }

  @Test
  void aQueueReceivesOnlyWhenItIsReady() {
    WorkQueue wq = wq(2);
    assertThat(wq.state()).isEqualTo(WqState.RESET);
    post(wq, 2);
    Refused.of(() -> post(wq, 1), Errno.ENOMEM).from("postWqRecv").naming("max_wr=2");
    RwqIndTable table = context.createRwqIndTable(List.of(wq, wq));
    flow(pd.createQp(hashing(table, toeplitz(ADDRESSES))));
    a.send(frame(1));
    wq.modify(WqState.RDY);
    assertThat(wq.state()).isEqualTo(WqState.RDY);
    a.send(frame(2));
    assertThat(Await.completion(cq, "frame 2").wrId()).isZero();
    assertThat(b.end().bytes(Station.HALF, FRAME)).isEqualTo(frame(2));

    wq.modify(WqState.ERR);
    WorkCompletion flushed = Await.completion(cq, "flush");
    assertThat(flushed.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    assertThat(flushed.wrId()).isOne();
    a.send(frame(3));
    Refused.of(() -> wq.modify(WqState.RDY), Errno.EINVAL).from("modifyWq").naming("ERR");
    Refused.of(() -> wq.modify(WqState.UNKNOWN), Errno.EINVAL).from("modifyWq");

    wq.modify(WqState.RESET);
    post(wq, 2);
    wq.modify(WqState.RESET);
    wq.modify(WqState.RDY);
    a.send(frame(4));
    post(wq, 2);
    a.send(frame(5));
    assertThat(Await.completion(cq, "frame 5").status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(b.end().bytes(Station.HALF, FRAME)).isEqualTo(frame(5));
    assertThat(cq.poll(new WorkCompletion())).isFalse();
  }

  @Test
  void whatIsUsedIsBusy() {
    WorkQueue wq = wq(1);
    RwqIndTable table = context.createRwqIndTable(List.of(wq));
    QueuePair qp = pd.createQp(hashing(table, toeplitz()));
    assertThat(qp.queryInit().rwqIndTbl()).isSameAs(table);
    assertThat(table.wqs()).containsExactly(wq);
    Refused.of(cq::destroy, Errno.EBUSY).naming("WQ");
    Refused.of(wq::destroy, Errno.EBUSY).from("destroyWq").naming("table");
    Refused.of(table::destroy, Errno.EBUSY).from("destroyRwqIndTable").naming("QP");
    qp.destroy();
    table.destroy();
    assertThat(table.isClosed()).isTrue();
    wq.destroy();
    wq.close();
    assertThat(wq.isClosed()).isTrue();
    cq.destroy();
  }

  @Test
  void aQueueTellsWhatItWasGrantedUntilItIsClosed() {
    WqInitAttr attr = new WqInitAttr(pd, cq).maxWr(3).maxSge(2).wqContext("mine");
    WorkQueue wq = context.createWq(attr);
    attr.maxWr(99).maxSge(99).wqContext("other");
    assertThat(attr.toString()).contains("max_wr=99");
    assertThat(wq.maxWr()).isGreaterThanOrEqualTo(3);
    assertThat(wq.maxSge()).isGreaterThanOrEqualTo(2);
    assertThat(wq.wqContext()).isEqualTo("mine");
    assertThat(wq.pd()).isSameAs(pd);
    assertThat(wq.cq()).isSameAs(cq);
    post(wq, wq.maxWr());
    Refused.of(() -> post(wq, 1), Errno.ENOMEM);
    wq.close();
    Refused.of(wq::maxWr, Errno.EBADF).naming("closed");
    Refused.of(wq::maxSge, Errno.EBADF).naming("closed");
    Refused.of(() -> context.createRwqIndTable(List.of(wq)), Errno.EBADF).naming("WQ");
  }

  /** Adapters have some; what the RAW_PACKET capabilities do not name is refused everywhere. */
  @Test
  void flagsThatTheDeviceDoesNotHaveAreRefused() {
    int caps = context.queryDeviceEx().rawPacketCaps();
    assumeTrue((caps & RawPacketCaps.CVLAN_STRIPPING) == 0, "the device strips VLAN tags");
    WqInitAttr attr = new WqInitAttr(pd, cq).createFlags(WqFlags.CVLAN_STRIPPING);
    assertThat(attr.createFlags()).isEqualTo(1);
    assertThat(attr.toString()).contains("create_flags=0x1");
    Refused.of(() -> context.createWq(attr), Errno.EOPNOTSUPP).from("createWq");
    context.createWq(attr.createFlags(0)).destroy();
  }

  @Test
  void closingADomainClosesItsQueuesUnlessATableUsesOne() {
    ProtectionDomain own = context.allocPd();
    WorkQueue wq = context.createWq(new WqInitAttr(own, cq));
    Refused.of(own::dealloc, Errno.EBUSY).naming("WQ");
    RwqIndTable table = context.createRwqIndTable(List.of(wq));
    Refused.of(own::close, Errno.EBUSY).naming("table");
    assertThat(wq.isClosed()).isFalse();
    table.destroy();
    own.close();
    assertThat(wq.isClosed()).isTrue();
  }

  @Test
  void aQueuePairThatHashesHasNoQueuesAndNoStates() {
    RwqIndTable table = context.createRwqIndTable(List.of(wq(1)));
    QueuePair qp = pd.createQp(hashing(table, toeplitz(ADDRESSES)));
    assertThat(qp.queryInit().cap().maxRecvWr()).isZero();
    Refused.of(() -> qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1)), Errno.EOPNOTSUPP)
        .from("modifyQp");
    Refused.of(() -> qp.postRecv(new RecvWr()), Errno.EINVAL).naming("WQs");
    Refused.of(() -> qp.postSend(SendWrs.send(1, b.end().sge(0, 64))), Errno.EINVAL);
  }

  @Test
  void impossibleOnesAreRefused() {
    WorkQueue wq = wq(1);
    WorkQueue foreign = a.end().context().createWq(new WqInitAttr(a.end().pd(), a.end().recvCq()));
    Refused.of(() -> wq(-1), Errno.EINVAL).from("createWq").naming("max_wr=-1");
    Refused.of(() -> context.createWq(new WqInitAttr(a.end().pd(), cq)), Errno.EINVAL);
    Refused.of(() -> context.createRwqIndTable(List.of()), Errno.EINVAL).naming("0 entries");
    Refused.of(() -> context.createRwqIndTable(List.of(wq, wq, wq)), Errno.EINVAL);
    Refused.of(() -> context.createRwqIndTable(List.of(foreign)), Errno.EINVAL);
    Refused.of(() -> context.createWq(new WqInitAttr(pd, a.end().recvCq())), Errno.EINVAL);
    RwqIndTable table = context.createRwqIndTable(List.of(wq, wq));
    refused(hashing(table, null), Errno.EINVAL, "must be set together");
    refused(hashing(null, toeplitz()), Errno.EINVAL, "must be set together");
    refused(hashing(table, toeplitz()).sendOps(SendOps.SEND), Errno.EINVAL, "send operations");
    RxHashConf shortKey = new RxHashConf(RxHashFunction.TOEPLITZ, new byte[39], ADDRESSES);
    refused(hashing(table, shortKey), Errno.EINVAL, "rx_hash_key_len=39");
    refused(hashing(table, new RxHashConf(2, key())), Errno.EOPNOTSUPP, "rx_hash_function");
    refused(hashing(table, toeplitz(1 << 8)), Errno.EOPNOTSUPP, "0x100");
    refused(hashing(table, toeplitz(1L << 32)), Errno.EOPNOTSUPP, "0x100000000");
    long both = RxHashFields.SRC_IPV4 | RxHashFields.DST_IPV6;
    refused(hashing(table, toeplitz(both)), Errno.EINVAL, "IPv6");
    refused(
        QpInitAttr.ud(cq).rxHash(table, toeplitz(ADDRESSES)), Errno.EOPNOTSUPP, "supported_qpts");
  }

  private void refused(QpInitAttr attr, int errno, String why) {
    Refused.of(() -> pd.createQp(attr), errno).from("createQp").naming(why);
  }

  @Test
  void aFullCompletionQueueFailsTheWorkQueue() throws InterruptedException {
    CompletionQueue small = context.createCq(1);
    WorkQueue wq = context.createWq(new WqInitAttr(pd, small).maxWr(4).maxSge(1).wqContext("mine"));
    wq.modify(WqState.RDY);
    post(wq, 4);
    flow(pd.createQp(hashing(context.createRwqIndTable(List.of(wq)), toeplitz())));
    for (int i = 0; i <= small.cqe(); i++) {
      post(wq, i < 4 ? 0 : 1);
      a.send(frame(i));
    }
    EventType type = null;
    while (type != EventType.WQ_FATAL) {
      try (AsyncEvent event = context.getAsyncEvent()) {
        type = event.eventType();
        assertThat(type).isIn(EventType.CQ_ERR, EventType.WQ_FATAL);
        if (type == EventType.WQ_FATAL) {
          assertThat(event.wq()).isSameAs(wq);
          assertThat(event.qp()).isNull();
        }
      }
    }
    assertThat(wq.state()).as("state after WQ_FATAL").isEqualTo(WqState.ERR);
    assertThat(wq.wqContext()).isEqualTo("mine");
  }
}
