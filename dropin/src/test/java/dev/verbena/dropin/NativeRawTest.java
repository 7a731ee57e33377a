package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowEthFilter;
import dev.verbena.verbs.FlowIpv4Filter;
import dev.verbena.verbs.FlowIpv6Filter;
import dev.verbena.verbs.FlowSpec;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.FlowSpecIpv4;
import dev.verbena.verbs.FlowSpecIpv6;
import dev.verbena.verbs.FlowSpecTcpUdp;
import dev.verbena.verbs.FlowSpecType;
import dev.verbena.verbs.FlowTcpUdpFilter;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCreateFlags;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.RwqIndTable;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.RxHashFields;
import dev.verbena.verbs.RxHashFunction;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.WqState;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Frames, steering rules, work queues, hashing and TSO of the provider over libibverbs. */
final class NativeRawTest extends NativeTest {
  private static final int FRAME = 64;
  private static final int EXPERIMENTAL = 0x88b5;
  private static final int KEY_BYTES = 40;
  private static final ValueLayout.OfShort BIG =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  @Test
  void aFrameIsSteeredAndHashedToAWorkQueue() {
    CompletionQueue cq = context.createCq(16);
    CompletionQueue sent = context.createCq(16);
    MemoryRegion mr = pd.allocMr(256, ALL);
    WorkQueue first = context.createWq(new WqInitAttr(pd, cq).maxWr(4).maxSge(1));
    WorkQueue second = context.createWq(new WqInitAttr(pd, cq).maxWr(4).maxSge(1));
    assertThat(first.state()).isEqualTo(WqState.RESET);
    first.modify(WqState.RDY);
    second.modify(WqState.RDY);
    first.postRecv(new RecvWr().wrId(7).sgList(mr.sge(FRAME, 0)));
    RwqIndTable table = context.createRwqIndTable(List.of(first, second));
    assertErrno(first::destroy, Errno.EBUSY);
    RxHashConf hash =
        new RxHashConf(RxHashFunction.TOEPLITZ, new byte[KEY_BYTES], RxHashFields.SRC_IPV4);
    QueuePair spreads = pd.createQp(new QpInitAttr(QpType.RAW_PACKET).rxHash(table, hash));
    assertErrno(table::destroy, Errno.EBUSY);
    assertThatThrownBy(() -> spreads.postRecv(new RecvWr())).hasMessageContaining("hashes");
    MacAddress mac = mac();
    Flow flow =
        spreads.createFlow(FlowAttr.normal(new FlowSpecEth().dstMac(mac).etherType(EXPERIMENTAL)));
    assertThat(flow.qp()).isSameAs(spreads);
    QueuePair sender =
        pd.createQp(new QpInitAttr(QpType.RAW_PACKET).sendCq(sent).recvCq(sent).maxSendWr(4));
    sender.modify(new QpAttr().qpState(QpState.INIT).portNum(1));
    sender.modify(new QpAttr().qpState(QpState.RTR));
    sender.modify(new QpAttr().qpState(QpState.RTS));
    MemorySegment frame = mr.memory().asSlice(128, FRAME);
    for (int side = 0; side < 2; side++) {
      frame.set(BIG, side * 6L, (short) (mac.bits() >>> 32));
      frame.set(BIG, side * 6L + 2, (short) (mac.bits() >>> 16));
      frame.set(BIG, side * 6L + 4, (short) mac.bits());
    }
    frame.set(BIG, 12, (short) EXPERIMENTAL);
    frame.set(ValueLayout.JAVA_BYTE, 20, (byte) 42);
    sender.postSend(new SendWr().opcode(WrOpcode.SEND).sgList(mr.sge(FRAME, 128)));
    WorkCompletion wc = await(cq).orThrow();
    assertThat(wc.wrId()).isEqualTo(7);
    assertThat(wc.qpNum()).isEqualTo(first.wqNum());
    assertThat(mr.memory().get(ValueLayout.JAVA_BYTE, 20)).isEqualTo((byte) 42);
    flow.destroy();
    spreads.close();
    table.destroy();
    first.modify(WqState.ERR);
    assertThat(first.state()).isEqualTo(WqState.ERR);
    assertErrno(() -> second.modify(WqState.UNKNOWN), Errno.EINVAL);
    first.destroy();
  }

  /** The library does not tell it: its interface is the one of the loopback. */
  private static MacAddress mac() {
    try (Context below = Devices.open(Verbs.DEVICE)) {
      return below.queryMac(1);
    }
  }

  @Test
  void framesAreSentOnlyFromMemoryThatADriverCanReadAtItsAddress() {
    CompletionQueue cq = context.createCq(4);
    QueuePairEx qp =
        pd.createQpEx(
            new QpInitAttr(QpType.RAW_PACKET)
                .sendCq(cq)
                .recvCq(cq)
                .maxSendWr(4)
                .sendOps(SendOps.SEND));
    qp.modify(new QpAttr().qpState(QpState.INIT).portNum(1));
    qp.modify(new QpAttr().qpState(QpState.RTR));
    qp.modify(new QpAttr().qpState(QpState.RTS));
    MemoryRegion mr = pd.allocMr(FRAME, ALL, Access.ZERO_BASED);
    for (Sge data : List.of(mr.sge(FRAME, 0), new Sge(64, FRAME, 1))) {
      assertThatThrownBy(() -> qp.postSend(new SendWr().opcode(WrOpcode.SEND).sgList(data)))
          .hasMessageContaining("SGE 0 is not in memory at its address");
      qp.wrStart();
      qp.wrSend();
      qp.wrSetSge(data.lkey(), data.addr(), data.length());
      assertThatThrownBy(qp::wrComplete)
          .hasMessageContaining("SGE 0 is not in memory at its address");
    }
  }

  @Test
  void flagsOfAQueuePairThatHashesReachTheLibrary() {
    CompletionQueue cq = context.createCq(4);
    WorkQueue wq = context.createWq(new WqInitAttr(pd, cq).maxWr(4).maxSge(1));
    RwqIndTable table = context.createRwqIndTable(List.of(wq));
    RxHashConf hash =
        new RxHashConf(RxHashFunction.TOEPLITZ, new byte[KEY_BYTES], RxHashFields.SRC_IPV4);
    QpInitAttr attr = new QpInitAttr(QpType.RAW_PACKET).rxHash(table, hash);
    assertErrno(
        () -> pd.createQp(attr.createFlags(QpCreateFlags.CVLAN_STRIPPING)), Errno.EOPNOTSUPP);
  }

  @Test
  void whatTheStructsHaveNoRoomForIsRefused() {
    CompletionQueue cq = context.createCq(4);
    QpInitAttr raw = new QpInitAttr(QpType.RAW_PACKET).sendCq(cq).recvCq(cq);
    QueuePair qp = pd.createQp(raw);
    FlowAttr rule = FlowAttr.normal(new FlowSpecEth());
    assertThatThrownBy(() -> qp.createFlow(rule.priority(0x10000)))
        .hasMessageContaining("priority=65536 is not in 0 to 65535");
    rule.priority(0xffff);
    assertThatThrownBy(() -> qp.createFlow(rule.port(257)))
        .hasMessageContaining("port=257 is not in 0 to 255");
    FlowSpec[] many = Collections.nCopies(256, new FlowSpecEth()).toArray(FlowSpec[]::new);
    assertThatThrownBy(() -> qp.createFlow(FlowAttr.normal(many)))
        .hasMessageContaining("num_of_specs=256 is not in 0 to 255");
    // The remainder of 16 bits would be 64, a size that the device has.
    assertThatThrownBy(() -> pd.createQp(raw.maxTsoHeader(0x10040)))
        .hasMessageContaining("max_tso_header=65600 is not in 0 to 65535");
    WorkQueue wq = context.createWq(new WqInitAttr(pd, cq).maxWr(4).maxSge(1));
    RwqIndTable table = context.createRwqIndTable(List.of(wq));
    QpInitAttr hashing = new QpInitAttr(QpType.RAW_PACKET);
    int unknown = RxHashFunction.TOEPLITZ | 1 << 8;
    RxHashConf function = new RxHashConf(unknown, new byte[KEY_BYTES], RxHashFields.SRC_IPV4);
    assertThatThrownBy(() -> pd.createQp(hashing.rxHash(table, function)))
        .hasMessageContaining("rx_hash_function=" + unknown);
    byte[] key = new byte[256 + KEY_BYTES];
    RxHashConf longKey = new RxHashConf(RxHashFunction.TOEPLITZ, key, RxHashFields.SRC_IPV4);
    assertThatThrownBy(() -> pd.createQp(hashing.rxHash(table, longKey)))
        .hasMessageContaining("rx_hash_key_len=296");
    RxHashConf fits =
        new RxHashConf(RxHashFunction.TOEPLITZ, new byte[KEY_BYTES], RxHashFields.SRC_IPV4);
    assertThatThrownBy(() -> pd.createQp(hashing.rxHash(table, fits).sendOps(SendOps.SEND)))
        .hasMessageContaining("neither an SRQ nor send operations");
  }

  @Test
  void conditionsThatTheStructsHaveNoRoomForAreRefused() {
    CompletionQueue cq = context.createCq(4);
    QueuePair qp = pd.createQp(new QpInitAttr(QpType.RAW_PACKET).sendCq(cq).recvCq(cq));
    MacAddress mac = MacAddress.BROADCAST;
    Conditions<FlowEthFilter> eth =
        new Conditions<>(qp, FlowSpecEth::new, new FlowEthFilter(mac, mac, 0xffff, 0xffff));
    eth.refused("ether_type=65536", new FlowEthFilter(mac, mac, 0x10000, 0));
    eth.refused("vlan_tag=-1", new FlowEthFilter(mac, mac, 0, -1));
    Conditions<FlowIpv4Filter> ipv4 =
        new Conditions<>(qp, FlowSpecIpv4::new, new FlowIpv4Filter(-1, -1, 0xff, 0xff, 0xff, 0xff));
    ipv4.refused("proto=256", new FlowIpv4Filter(0, 0, 256, 0, 0, 0));
    ipv4.refused("tos=256", new FlowIpv4Filter(0, 0, 0, 256, 0, 0));
    ipv4.refused("ttl=-1", new FlowIpv4Filter(0, 0, 0, 0, -1, 0));
    ipv4.refused("flags=256", new FlowIpv4Filter(0, 0, 0, 0, 0, 256));
    Gid gid = Gid.ZERO;
    Conditions<FlowIpv6Filter> ipv6 =
        new Conditions<>(qp, FlowSpecIpv6::new, new FlowIpv6Filter(gid, gid, -1, 0xff, 0xff, 0xff));
    ipv6.refused("next_hdr=256", new FlowIpv6Filter(gid, gid, 0, 256, 0, 0));
    ipv6.refused("traffic_class=-1", new FlowIpv6Filter(gid, gid, 0, 0, -1, 0));
    ipv6.refused("hop_limit=256", new FlowIpv6Filter(gid, gid, 0, 0, 0, 256));
    for (FlowSpecType type : new FlowSpecType[] {FlowSpecType.TCP, FlowSpecType.UDP}) {
      Conditions<FlowTcpUdpFilter> ports =
          new Conditions<>(
              qp,
              (val, mask) -> new FlowSpecTcpUdp(type, val, mask),
              new FlowTcpUdpFilter(0xffff, 0xffff));
      ports.refused("dst_port=65616", new FlowTcpUdpFilter(0x10050, 0));
      ports.refused("src_port=-1", new FlowTcpUdpFilter(0, -1));
    }
  }

  /**
   * Rules with one condition.
   *
   * @param spec the condition of a value and a mask
   * @param widest what fits
   */
  private record Conditions<F>(QueuePair qp, BiFunction<F, F, FlowSpec> spec, F widest) {
    /** As the value and as the mask. */
    void refused(String what, F filter) {
      for (FlowSpec each : List.of(spec.apply(filter, widest), spec.apply(widest, filter))) {
        assertThatThrownBy(() -> qp.createFlow(FlowAttr.normal(each)))
            .isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
            .hasMessageContaining(what + " is not in 0 to ");
      }
    }
  }

  @Test
  void rulesOfAllLayersReachTheLibrary() {
    CompletionQueue cq = context.createCq(4);
    QueuePair qp = pd.createQp(new QpInitAttr(QpType.RAW_PACKET).sendCq(cq).recvCq(cq));
    FlowSpecIpv4 ip = new FlowSpecIpv4().srcIp(0x0a000001, -1).proto(17);
    FlowAttr rule =
        FlowAttr.normal(new FlowSpecEth().vlan(5), ip, FlowSpecTcpUdp.udp().dstPort(4791))
            .priority(3);
    qp.createFlow(rule);
    // The same layer twice.
    assertErrno(() -> qp.createFlow(FlowAttr.normal(ip, ip)), Errno.EINVAL);
    assertErrno(() -> qp.createFlow(FlowAttr.normal(ip).port(2)), Errno.EINVAL);
    QueuePair rc = pd.createQp(QpInitAttr.rc(cq));
    assertThatThrownBy(() -> rc.createFlow(rule)).hasMessageContaining("create_flow refuses");
  }

  @Test
  void aTsoHeaderIsCheckedBeforeTheCall() {
    CompletionQueue cq = context.createCq(4);
    QueuePair qp =
        pd.createQp(QpInitAttr.ud(cq).sendOps(SendOps.SEND | SendOps.TSO).maxTsoHeader(64));
    MemorySegment tooLong = MemorySegment.ofArray(new byte[65]);
    QueuePairEx batch = qp.toQpEx();
    batch.wrStart();
    batch.wrSendTso(tooLong, 100);
    assertThatThrownBy(batch::wrComplete).hasMessageContaining("max_tso_header=64");
    batch.wrStart();
    batch.wrSendTso(MemorySegment.ofArray(new byte[64]), 0x10001);
    assertThatThrownBy(batch::wrComplete).hasMessageContaining("mss=65537 is not in 0 to 65535");
    AddressHandle ah = pd.createAh(AhAttr.to(qp.endpoint()));
    SendWr wr = new SendWr().opcode(WrOpcode.TSO).ah(ah).mss(100);
    assertThatThrownBy(() -> qp.postSend(wr)).hasMessageContaining("a TSO request without header");
    wr.tsoHdr(MemorySegment.ofArray(new byte[64])).mss(-1);
    assertThatThrownBy(() -> qp.postSend(wr)).hasMessageContaining("mss=-1 is not in 0 to 65535");
  }
}
