package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests the attributes that queue pairs and address handles get from a path. */
class PathAttributesTest {
  private final EndPort port = Ports.infiniBand();
  private final IbPath path =
      IbPath.builder(port)
          .dgid(Gid.parse("fe80::7"))
          .sgid(Ports.SECOND_GID)
          .hasGrh(true)
          .flowLabel(0xabcde)
          .hopLimit(9)
          .trafficClass(0x28)
          .dlid(0x1234)
          .slid(0x95)
          .sl(6)
          .rate(Rate.RATE_25)
          .pkey(0x1234)
          .qkey(0x11111111)
          .mtu(Mtu.MTU_1024)
          .retries(5)
          .minRnrTimer(13)
          .packetLifeTime(10)
          .dackRespTime(12)
          .dqpn(17)
          .dqpsn(18)
          .sqpsn(19)
          .drdatomic(3)
          .srdatomic(4)
          .build();

  @Test
  @Proves({
    "PY-032", "PY-033", "PY-034", "PY-035", "PY-036", "PY-037", "PY-038", "PY-039", "PY-040",
    "PY-041", "PY-042"
  })
  void anAddressHasEveryFieldOfThePath() {
    assertThat(PathAttributes.address(path))
        .isEqualTo(
            new AhAttr(
                /* isGlobal= */ true,
                /* dgid= */ Gid.parse("fe80::7"),
                /* sgidIndex= */ 2,
                /* flowLabel= */ 0xabcde,
                /* hopLimit= */ 9,
                /* trafficClass= */ 0x28,
                /* dlid= */ 0x1234,
                /* sl= */ 6,
                /* srcPathBits= */ 0x15,
                /* staticRate= */ Rate.RATE_25,
                /* portNum= */ 2));
  }

  @Test
  void thePathOfAnAlternateAddressSetsItAlone() {
    QpAttr attr = new QpAttr().altAhAttr(path);
    assertThat(attr.mask()).isEqualTo(QpAttrMask.ALT_PATH);
    assertThat(attr.altAhAttr()).isEqualTo(PathAttributes.address(path));
    assertThat(attr.ahAttr()).isEqualTo(new QpAttr().ahAttr());
    IbPath nowhere = IbPath.ofBytes(path.toBytes());
    assertThatThrownBy(() -> new QpAttr().altAhAttr(nowhere))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }

  @Test
  @Proves("PY-032")
  void withoutAGlobalRouteThereIsNoneInTheAddress() {
    AhAttr address = PathAttributes.address(path.copy(b -> b.hasGrh(false)));
    assertThat(address)
        .isEqualTo(new AhAttr(false, Gid.ZERO, 0, 0, 0, 0, 0x1234, 6, 0x15, Rate.RATE_25, 2));
  }

  @Test
  @Proves("PY-034")
  void aSourceGidThatThePortDoesNotHaveIsRefused() {
    IbPath foreign = path.copy(b -> b.sgid(Gid.parse("fe80::9")));
    assertThatThrownBy(() -> PathAttributes.address(foreign))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("GID fe80::9 is not in the table of hca0/2");
  }

  @Test
  @Proves("PY-039")
  void theSourcePathBitsAreNoMoreThanThePortsLmc() {
    IbPath narrow = path.withEndPort(Ports.infiniBand(0x94, 1));
    assertThat(PathAttributes.address(narrow).srcPathBits()).isEqualTo(1);
    IbPath one = path.withEndPort(Ports.infiniBand(0x95, 0));
    assertThat(PathAttributes.address(one).srcPathBits()).isZero();
  }

  @Test
  @Proves({"PY-017", "PY-018", "PY-151"})
  void theStepToInitTakesPortAndPkeyAndTheRights() {
    QpAttr init = steps(QpType.RC, Access.REMOTE_READ, Access.REMOTE_WRITE).get(0);
    assertThat(QpAttrMask.names(init.mask())).isEqualTo("STATE|ACCESS_FLAGS|PKEY_INDEX|PORT");
    assertThat(init.qpState()).isEqualTo(QpState.INIT);
    assertThat(init.portNum()).isEqualTo(2);
    assertThat(init.pkeyIndex()).isEqualTo(1);
    assertThat(init.qpAccessFlags()).isEqualTo(Access.REMOTE_READ | Access.REMOTE_WRITE);
  }

  @Test
  @Proves("PY-018")
  void aPkeyIsFoundWithTheOtherMembershipToo() {
    assertThat(path.copy(b -> b.pkey(0x9234)).pkeyIndex()).isEqualTo(1);
    assertThat(path.copy(b -> b.pkey(0x7fff)).pkeyIndex()).isZero();
    EndPort both =
        Ports.of(
            "hca0",
            new PortSnapshot(
                PortState.ACTIVE,
                5,
                LinkLayer.INFINIBAND,
                1,
                0,
                1,
                0,
                0,
                0,
                Mtu.MTU_256,
                Rate.MAX,
                List.of(Ports.GID),
                List.of(GidType.IB),
                List.of(0x9234, 0x1234)));
    assertThat(both.pkeyIndex(0x1234)).isEqualTo(1);
    assertThat(both.pkeyIndex(0x9234)).isZero();
  }

  @Test
  @Proves({"PY-019", "PY-151", "PY-152", "PY-153"})
  void aDatagramQueuePairTakesQkeyAndStartPsnOnly() {
    List<QpAttr> steps = steps(QpType.UD, Access.REMOTE_READ);
    assertThat(names(steps)).containsExactly("STATE|PKEY_INDEX|PORT|QKEY", "STATE", "STATE|SQ_PSN");
    assertThat(steps.get(0).qkey()).isEqualTo(0x11111111);
    assertThat(steps.get(2).sqPsn()).isEqualTo(19);
  }

  @Test
  @Proves({"PY-020", "PY-022", "PY-025", "PY-026", "PY-028", "PY-013", "PY-149", "PY-152"})
  void theStepToRtrOfAReliableConnectionTakesAllAboutThePeer() {
    QpAttr rtr = steps(QpType.RC).get(1);
    assertThat(QpAttrMask.names(rtr.mask()))
        .isEqualTo("STATE|AV|PATH_MTU|RQ_PSN|MIN_RNR_TIMER|MAX_DEST_RD_ATOMIC|DEST_QPN");
    assertThat(rtr.qpState()).isEqualTo(QpState.RTR);
    assertThat(rtr.ahAttr()).isEqualTo(PathAttributes.address(path));
    assertThat(rtr.pathMtu()).isEqualTo(Mtu.MTU_1024);
    assertThat(rtr.minRnrTimer()).isEqualTo(13);
    assertThat(rtr.destQpNum()).isEqualTo(17);
    assertThat(rtr.rqPsn()).isEqualTo(18);
    assertThat(rtr.maxDestRdAtomic()).isEqualTo(3);
  }

  @Test
  @Proves({"PY-021", "PY-023", "PY-024", "PY-027", "PY-029", "PY-030", "PY-031", "PY-153"})
  void theStepToRtsOfAReliableConnectionTakesTimersAndRetries() {
    QpAttr rts = steps(QpType.RC).get(2);
    assertThat(QpAttrMask.names(rts.mask()))
        .isEqualTo("STATE|TIMEOUT|RETRY_CNT|RNR_RETRY|MAX_QP_RD_ATOMIC|SQ_PSN");
    assertThat(rts.qpState()).isEqualTo(QpState.RTS);
    assertThat(rts.retryCnt()).isEqualTo(5);
    assertThat(rts.rnrRetry()).isEqualTo(7);
    assertThat(rts.sqPsn()).isEqualTo(19);
    assertThat(rts.maxRdAtomic()).isEqualTo(4);
    assertThat(rts.timeout()).isEqualTo(13);
    assertThat(PathAttributes.rts(path.copy(b -> b.packetLifeTime(12))).timeout()).isEqualTo(14);
    assertThat(PathAttributes.rts(path.copy(b -> b.dackRespTime(14))).timeout()).isEqualTo(15);
  }

  @Test
  @Proves({"PY-152", "PY-153"})
  void anUnreliableConnectionTakesNoTimersAndNoReadsOrAtomics() {
    assertThat(names(steps(QpType.UC, Access.REMOTE_WRITE)))
        .containsExactly(
            "STATE|ACCESS_FLAGS|PKEY_INDEX|PORT",
            "STATE|AV|PATH_MTU|RQ_PSN|DEST_QPN",
            "STATE|SQ_PSN");
  }

  @Test
  @Proves("PY-061")
  void theTwoSidesOfXrcTakeWhatTheyHave() {
    assertThat(names(steps(QpType.XRC_SEND)))
        .containsExactly(
            "STATE|ACCESS_FLAGS|PKEY_INDEX|PORT",
            "STATE|AV|PATH_MTU|RQ_PSN|DEST_QPN",
            "STATE|TIMEOUT|RETRY_CNT|RNR_RETRY|MAX_QP_RD_ATOMIC|SQ_PSN");
    assertThat(names(steps(QpType.XRC_RECV)))
        .containsExactly(
            "STATE|ACCESS_FLAGS|PKEY_INDEX|PORT",
            "STATE|AV|PATH_MTU|RQ_PSN|MIN_RNR_TIMER|MAX_DEST_RD_ATOMIC|DEST_QPN",
            "STATE|TIMEOUT|SQ_PSN");
  }

  @Test
  @Proves("PY-149")
  void establishGoesOnFromInitAndSetsRightsThereIfSomeAreGiven() {
    List<QpAttr> steps = new ArrayList<>();
    qp(QpType.RC, QpState.INIT, steps).establish(path);
    assertThat(steps.stream().map(QpAttr::qpState)).containsExactly(QpState.RTR, QpState.RTS);
    steps.clear();
    qp(QpType.RC, QpState.INIT, steps).establish(path, Access.REMOTE_READ);
    assertThat(steps.stream().map(QpAttr::qpState))
        .containsExactly(QpState.INIT, QpState.RTR, QpState.RTS);
    assertThat(steps.getFirst().qpAccessFlags()).isEqualTo(Access.REMOTE_READ);
  }

  @Test
  @Proves({"PY-043", "PY-150"})
  void aPathMayStandWhereAnAddressDoes() {
    QpAttr byPath = new QpAttr().ahAttr(path);
    assertThat(byPath.ahAttr()).isEqualTo(PathAttributes.address(path));
    assertThat(byPath.mask()).isEqualTo(QpAttrMask.AV);
  }

  @Test
  @Proves({"PY-043", "PY-044", "PY-045"})
  void aPathKeepsAHandleForEachDomainUntilItIsClosedOrDropped() {
    ProtectionDomain one = domain();
    ProtectionDomain other = domain();
    AddressHandle handle = one.ah(path);
    assertThat(handle.attr()).isEqualTo(PathAttributes.address(path));
    assertThat(one.ah(path)).isSameAs(handle);
    assertThat(other.ah(path)).isNotSameAs(handle);
    assertThat(other.ah(path)).isSameAs(other.ah(path));
    assertThat(one.ah(path.copy(b -> {}))).isNotSameAs(handle);
    assertThat(one.ah(PathAttributes.address(path))).isNotSameAs(handle);

    handle.close();
    AddressHandle again = one.ah(path);
    assertThat(again).isNotSameAs(handle);
    AddressHandle elsewhere = other.ah(path);
    path.dropCache();
    assertThat(again.isClosed()).isTrue();
    assertThat(elsewhere.isClosed()).isTrue();
    assertThat(one.ah(path)).isNotSameAs(again);
  }

  @Test
  void aHandleThatCannotBeClosedIsKeptAlone() {
    boolean[] busy = {true};
    ProtectionDomain stubborn = domain(busy);
    ProtectionDomain before = domain();
    ProtectionDomain after = domain();
    AddressHandle first = before.ah(path);
    AddressHandle kept = stubborn.ah(path);
    AddressHandle last = after.ah(path);
    assertThatThrownBy(path::dropCache).hasMessageContaining("busy");
    assertThat(first.isClosed()).isTrue();
    assertThat(last.isClosed()).isTrue();
    assertThat(stubborn.ah(path)).isSameAs(kept);
    busy[0] = false;
    path.dropCache();
    assertThat(kept.isClosed()).isTrue();
  }

  @Test
  void aPathFromAnotherDeviceIsRefused() {
    IbPath elsewhere = path.withEndPort(Ports.ethernet());
    List<QpAttr> steps = new ArrayList<>();
    QueuePair qp = qp(QpType.RC, QpState.RESET, steps);
    String why = "the path begins at soft0/2, which is not a port of hca0";
    assertThatThrownBy(() -> qp.modifyToInit(elsewhere)).hasMessageContaining(why);
    assertThatThrownBy(() -> qp.modifyToRtr(elsewhere)).hasMessageContaining(why);
    assertThatThrownBy(() -> qp.establish(elsewhere))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining(why);
    assertThat(steps).isEmpty();
    assertThatThrownBy(() -> domain().ah(elsewhere)).hasMessageContaining(why);
  }

  @Test
  @Proves("PY-060")
  void theReverseKeepsNoHandles() {
    ProtectionDomain pd = domain();
    IbPath near = path.copy(b -> b.dgid(Ports.GID));
    AddressHandle handle = pd.ah(near);
    IbPath back = near.reverse(false).reverse(false);
    assertThat(back).isEqualTo(near);
    assertThat(pd.ah(back)).isNotSameAs(handle);
  }

  @Test
  @Proves({"PY-146", "PY-148"})
  void aGroupIsThatOfTheDestination() {
    List<List<Object>> calls = new ArrayList<>();
    QueuePair qp =
        Stubs.of(
            QueuePair.class,
            Map.of(
                "attachMcast", args -> note(calls, "attach", args),
                "detachMcast", args -> note(calls, "detach", args)));
    IbPath group = path.copy(b -> b.dgid(Gid.parse("ff12::1")).dlid(0xc001));
    qp.attachMcast(group);
    qp.detachMcast(group);
    assertThat(calls)
        .containsExactly(
            List.of("attach", Gid.parse("ff12::1"), 0xc001),
            List.of("detach", Gid.parse("ff12::1"), 0xc001));
  }

  private static boolean note(List<List<Object>> calls, String what, Object[] args) {
    return calls.add(List.of(what, args[0], args[1]));
  }

  private List<QpAttr> steps(QpType type, int... access) {
    List<QpAttr> steps = new ArrayList<>();
    qp(type, QpState.RESET, steps).establish(path, access);
    return steps;
  }

  private static List<String> names(List<QpAttr> steps) {
    return steps.stream().map(step -> QpAttrMask.names(step.mask())).toList();
  }

  private static QueuePair qp(QpType type, QpState state, List<QpAttr> steps) {
    return Stubs.of(
        QueuePair.class,
        Map.of(
            "context", args -> context("hca0"),
            "qpType", args -> type,
            "state", args -> state,
            "modify", args -> steps.add((QpAttr) args[0])));
  }

  private static ProtectionDomain domain() {
    return domain(new boolean[1]);
  }

  private static ProtectionDomain domain(boolean[] busy) {
    Map<String, Function<Object[], Object>> answers = new HashMap<>();
    ProtectionDomain pd = Stubs.of(ProtectionDomain.class, answers);
    answers.put("createAh", args -> handle(pd, (AhAttr) args[0], busy));
    answers.put("context", args -> context("hca0"));
    return pd;
  }

  private static Context context(String deviceName) {
    Device device = Stubs.device(deviceName);
    return Stubs.of(Context.class, Map.of("device", args -> device));
  }

  private static AddressHandle handle(ProtectionDomain pd, AhAttr attr, boolean[] busy) {
    boolean[] closed = {false};
    return Stubs.of(
        AddressHandle.class,
        Map.of(
            "pd", args -> pd,
            "attr", args -> attr,
            "isClosed", args -> closed[0],
            "close",
                args -> {
                  if (busy[0]) {
                    throw new VerbsException("destroyAh", Errno.EBUSY, "busy");
                  }
                  closed[0] = true;
                  return true;
                }));
  }
}
