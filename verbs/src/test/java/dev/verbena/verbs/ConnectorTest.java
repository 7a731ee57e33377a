package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests the steps of connect on a queue pair. */
class ConnectorTest {
  private static final QpEndpoint LOCAL =
      new QpEndpoint(0x11, 0x123456, Gid.parse("10.77.0.1"), 2, Mtu.MTU_4096);
  private static final QpEndpoint REMOTE =
      new QpEndpoint(0x17, 0xabcdef, Gid.parse("10.77.0.2"), 0, Mtu.MTU_1024);

  @Test
  void itGoesThroughInitAndRtrToRtsWithTheRequiredAttributes() {
    List<QpAttr> steps = new ArrayList<>();
    qp(QpType.RC, steps).connect(REMOTE, Access.REMOTE_WRITE, Access.REMOTE_READ);

    assertThat(steps).hasSize(3);
    QpAttr init = steps.get(0);
    assertThat(QpAttrMask.names(init.mask())).isEqualTo("STATE|ACCESS_FLAGS|PKEY_INDEX|PORT");
    assertThat(init.qpState()).isEqualTo(QpState.INIT);
    assertThat(init.qpAccessFlags()).isEqualTo(6);
    assertThat(init.portNum()).isEqualTo(1);

    QpAttr rtr = steps.get(1);
    assertThat(QpAttrMask.names(rtr.mask()))
        .isEqualTo("STATE|AV|PATH_MTU|RQ_PSN|MIN_RNR_TIMER|MAX_DEST_RD_ATOMIC|DEST_QPN");
    assertThat(rtr.qpState()).isEqualTo(QpState.RTR);
    assertThat(rtr.ahAttr()).isEqualTo(AhAttr.to(REMOTE.gid()).withSgidIndex(2));
    assertThat(rtr.pathMtu()).isEqualTo(Mtu.MTU_1024);
    assertThat(rtr.destQpNum()).isEqualTo(0x17);
    assertThat(rtr.rqPsn()).isEqualTo(0xabcdef);
    assertThat(rtr.maxDestRdAtomic()).isEqualTo(16);

    QpAttr rts = steps.get(2);
    assertThat(QpAttrMask.names(rts.mask()))
        .isEqualTo("STATE|TIMEOUT|RETRY_CNT|RNR_RETRY|MAX_QP_RD_ATOMIC|SQ_PSN");
    assertThat(rts.qpState()).isEqualTo(QpState.RTS);
    assertThat(rts.sqPsn()).isEqualTo(0x123456);
    assertThat(rts.timeout()).isEqualTo(14);
    assertThat(rts.rnrRetry()).isEqualTo(7);
    assertThat(rts.maxRdAtomic()).isEqualTo(4);
  }

  @Test
  void overridesReplaceTheUsualValuesInTheStepWhereTheyBelong() {
    List<QpAttr> steps = new ArrayList<>();
    QpEndpoint local = new QpEndpoint(0x11, 0x777777, LOCAL.gid(), 5, Mtu.MTU_512);
    QpAttr overrides =
        new QpAttr().qpAccessFlags(8).minRnrTimer(3).rqPsn(1).rnrRetry(2).timeout(18).sqPsn(9);
    qp(QpType.RC, steps).connect(local, REMOTE, overrides, Access.REMOTE_WRITE);

    assertThat(steps).hasSize(3);
    assertThat(steps.stream().map(step -> QpAttrMask.names(step.mask())))
        .containsExactly(
            "STATE|ACCESS_FLAGS|PKEY_INDEX|PORT",
            "STATE|AV|PATH_MTU|RQ_PSN|MIN_RNR_TIMER|MAX_DEST_RD_ATOMIC|DEST_QPN",
            "STATE|TIMEOUT|RETRY_CNT|RNR_RETRY|MAX_QP_RD_ATOMIC|SQ_PSN");
    assertThat(steps.get(0).qpAccessFlags()).isEqualTo(8);
    QpAttr rtr = steps.get(1);
    assertThat(rtr.ahAttr().sgidIndex()).isEqualTo(5);
    assertThat(rtr.pathMtu()).isEqualTo(Mtu.MTU_512);
    assertThat(rtr.minRnrTimer()).isEqualTo(3);
    assertThat(rtr.rqPsn()).isEqualTo(1);
    QpAttr rts = steps.get(2);
    assertThat(List.of(rts.rnrRetry(), rts.timeout(), rts.sqPsn(), rts.retryCnt()))
        .containsExactly(2, 18, 9, 7);
  }

  @Test
  void anotherPortIsThatOfTheAddressToo() {
    List<QpAttr> steps = new ArrayList<>();
    qp(QpType.RC, steps).connect(LOCAL, REMOTE, new QpAttr().portNum(2));
    assertThat(steps.get(0).portNum()).isEqualTo(2);
    assertThat(steps.get(1).ahAttr().portNum()).isEqualTo(2);
  }

  @Test
  void theLocalEndpointGivesTheStartPsn() {
    List<QpAttr> steps = new ArrayList<>();
    QpEndpoint local = new QpEndpoint(0x11, 0x777777, LOCAL.gid(), 0, Mtu.MTU_512);
    qp(QpType.RC, steps).connect(local, REMOTE, new QpAttr());
    assertThat(steps.get(2).sqPsn()).isEqualTo(0x777777);
  }

  @Test
  void overridesThatBelongInNoStepAreRefusedBeforeTheFirst() {
    List<QpAttr> steps = new ArrayList<>();
    QpAttr overrides = new QpAttr().qkey(1).timeout(3).qpState(QpState.ERR);
    assertThatThrownBy(() -> qp(QpType.RC, steps).connect(LOCAL, REMOTE, overrides))
        .hasMessage(
            "connect: stub: overrides set STATE|QKEY, which connect does not use (EINVAL: Invalid"
                + " argument)");
    assertThat(steps).isEmpty();
  }

  @Test
  void anUnreliableConnectionTakesWhatItHas() {
    List<QpAttr> steps = new ArrayList<>();
    qp(QpType.UC, steps).connect(LOCAL, REMOTE, new QpAttr().rqPsn(1), Access.REMOTE_WRITE);
    assertThat(steps.stream().map(step -> QpAttrMask.names(step.mask())))
        .containsExactly(
            "STATE|ACCESS_FLAGS|PKEY_INDEX|PORT",
            "STATE|AV|PATH_MTU|RQ_PSN|DEST_QPN",
            "STATE|SQ_PSN");
    assertThat(steps.get(1).rqPsn()).isEqualTo(1);
    QpAttr reliable = new QpAttr().timeout(3);
    assertThatThrownBy(() -> qp(QpType.UC, steps).connect(LOCAL, REMOTE, reliable))
        .hasMessageContaining("TIMEOUT");
    assertThat(steps).hasSize(3);
  }

  @Test
  void anXrcInitiatorTakesWhatRequestsNeed() {
    List<QpAttr> steps = new ArrayList<>();
    qp(QpType.XRC_SEND, steps).connect(REMOTE);
    assertThat(steps.stream().map(step -> QpAttrMask.names(step.mask())))
        .containsExactly(
            "STATE|ACCESS_FLAGS|PKEY_INDEX|PORT",
            "STATE|AV|PATH_MTU|RQ_PSN|DEST_QPN",
            "STATE|TIMEOUT|RETRY_CNT|RNR_RETRY|MAX_QP_RD_ATOMIC|SQ_PSN");
    QpAttr answers = new QpAttr().minRnrTimer(3);
    assertThatThrownBy(() -> qp(QpType.XRC_SEND, steps).connect(LOCAL, REMOTE, answers))
        .hasMessageContaining("MIN_RNR_TIMER");
  }

  @Test
  void anXrcTargetTakesWhatAnswersNeed() {
    List<QpAttr> steps = new ArrayList<>();
    qp(QpType.XRC_RECV, steps).connect(REMOTE, Access.REMOTE_WRITE);
    assertThat(steps.stream().map(step -> QpAttrMask.names(step.mask())))
        .containsExactly(
            "STATE|ACCESS_FLAGS|PKEY_INDEX|PORT",
            "STATE|AV|PATH_MTU|RQ_PSN|MIN_RNR_TIMER|MAX_DEST_RD_ATOMIC|DEST_QPN",
            "STATE|TIMEOUT|SQ_PSN");
    QpAttr requests = new QpAttr().rnrRetry(3);
    assertThatThrownBy(() -> qp(QpType.XRC_RECV, steps).connect(LOCAL, REMOTE, requests))
        .hasMessageContaining("RNR_RETRY");
  }

  @Test
  void datagramsNeedOnlyAQkey() {
    List<QpAttr> steps = new ArrayList<>();
    qp(QpType.UD, steps).toRts(0x11111111);
    assertThat(steps.stream().map(step -> QpAttrMask.names(step.mask())))
        .containsExactly("STATE|PKEY_INDEX|PORT|QKEY", "STATE", "STATE|SQ_PSN");
    assertThat(steps.get(0).qkey()).isEqualTo(0x11111111);
    assertThat(steps.get(2).qpState()).isEqualTo(QpState.RTS);
    assertThat(steps.get(2).sqPsn()).isEqualTo(0x123456);
    assertThatThrownBy(() -> qp(QpType.RC, steps).toRts(1))
        .hasMessageContaining("stub has no Q_Key, because its type is RC");
  }

  @Test
  void aTypeWithoutConnectionIsEinval() {
    QueuePair ud = qp(QpType.UD, new ArrayList<>());
    assertThatThrownBy(() -> ud.connect(REMOTE))
        .hasMessage(
            "connect: stub has no connection, because its type is UD; RC, UC, XRC_SEND and XRC_RECV"
                + " have (EINVAL: Invalid argument)");
  }

  @Test
  void whereFaultsHitRequestsTheyAreSentAgainSoon() {
    QpEndpoint near = new QpEndpoint(0x17, 1, LOCAL.gid(), 0, Mtu.MTU_1024);
    assertThat(timeout(true, near, new QpAttr())).isEqualTo(10);
    assertThat(timeout(true, near, new QpAttr().timeout(18))).isEqualTo(18);
    assertThat(timeout(true, REMOTE, new QpAttr())).as("another device").isEqualTo(14);
    assertThat(timeout(false, near, new QpAttr())).isEqualTo(14);
    assertThat(timeout(false, REMOTE, new QpAttr())).isEqualTo(14);
  }

  private static int timeout(boolean faults, QpEndpoint remote, QpAttr overrides) {
    List<QpAttr> steps = new ArrayList<>();
    qp(QpType.RC, steps, faults).connect(LOCAL, remote, overrides);
    return steps.get(2).timeout();
  }

  private static QueuePair qp(QpType type, List<QpAttr> steps) {
    return qp(type, steps, false);
  }

  private static QueuePair qp(QpType type, List<QpAttr> steps, boolean lossy) {
    Device opened = Stubs.of(Device.class, Map.of("losesPackets", args -> lossy));
    Context context =
        Stubs.of(Context.class, Map.of("queryDevice", args -> device(), "device", args -> opened));
    Map<String, Function<Object[], Object>> answers = new HashMap<>();
    answers.put("qpType", args -> type);
    answers.put("endpoint", args -> LOCAL);
    answers.put("context", args -> context);
    answers.put(
        "modify",
        args -> {
          QpAttr attr = (QpAttr) args[0];
          assertThat(args[1]).isEqualTo(attr.mask());
          steps.add(attr);
          return null;
        });
    return Stubs.of(QueuePair.class, answers);
  }

  /** A device that grants 128 READs and atomics as target and 4 as initiator. */
  private static DeviceAttr device() {
    return new DeviceAttr(
        "1",
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        128,
        0,
        0,
        4,
        0,
        AtomicCap.HCA,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        1);
  }
}
