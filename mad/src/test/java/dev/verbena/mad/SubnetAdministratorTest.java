package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.mad.sa.FakeSubnet;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.spi.SubnetPort;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.NodeRecord;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.PortInfoRecord;
import dev.verbena.wire.mad.Selector;
import dev.verbena.wire.mad.ServiceRecord;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Tests requests and responses, with only a network in between. */
class SubnetAdministratorTest {
  private static final Gid GROUP = Gid.parse("ff12:401b:ffff::1");

  private final FakeSubnet subnet = new FakeSubnet(4);
  private final Lab lab = new Lab(subnet, 2, 1, 0);

  private static Attribute path() {
    return new Attribute(PathRecord.FORMAT);
  }

  private Attribute get(Attribute query) {
    return lab.ask(MadCall.subnAdmGet(query), 0);
  }

  private List<Attribute> table(Attribute query) {
    return lab.ask(MadCall.subnAdmGetTable(query), 0);
  }

  private int refusal(MadCall<?> call) {
    return refusal(lab, call);
  }

  private static int refusal(Lab lab, MadCall<?> call) {
    return catchThrowableOfType(MadException.class, () -> lab.ask(call, 0)).status();
  }

  @RepeatedTest(20)
  void aTableArrivesWholeOverABadNetwork() {
    long seed = System.nanoTime();
    Lab bad = new Lab(new FakeSubnet(20), 2, seed, 0.15);
    List<Attribute> paths = bad.ask(MadCall.subnAdmGetTable(path()), 1000);
    Set<List<Long>> ends = new HashSet<>();
    for (Attribute path : paths) {
      ends.add(List.of(path.get(PathRecord.SLID), path.get(PathRecord.DLID)));
    }
    assertThat(paths).as("seed %d", seed).hasSize(400);
    assertThat(ends).as("seed %d", seed).hasSize(400);
  }

  @Test
  void onAGoodNetworkATableTakesNoTimeouts() {
    Lab good = new Lab(new FakeSubnet(30), 2, 1, 0);
    assertThat(good.ask(MadCall.subnAdmGetTable(path()), 0)).hasSize(900);
    // 288 segments, an ACK for each window, and the request.
    assertThat(good.datagrams).isBetween(289, 320);
  }

  @Test
  void aPathIsFoundByGids() {
    Attribute found =
        get(
            path()
                .set(PathRecord.SGID, FakeSubnet.gid(2).toBytes())
                .set(PathRecord.DGID, FakeSubnet.gid(3).toBytes()));
    assertThat(found.get(PathRecord.SLID)).isEqualTo(2);
    assertThat(found.get(PathRecord.DLID)).isEqualTo(3);
    assertThat(found.get(PathRecord.PKEY)).isEqualTo(0xffff);
    assertThat(found.getInt(PathRecord.MTU)).isEqualTo(Mtu.MTU_4096.number());
    assertThat(found.getInt(PathRecord.RATE)).isEqualTo(Rate.RATE_100.number());
    assertThat(found.getInt(PathRecord.PACKET_LIFE_TIME)).isEqualTo(18);
    assertThat(found.getInt(PathRecord.REVERSIBLE)).isEqualTo(1);
    assertThat(refusal(MadCall.subnAdmGet(path().set(PathRecord.DLID, 99))))
        .isEqualTo(MadStatus.SA_NO_RECORDS);
    assertThat(table(path().set(PathRecord.DLID, 99))).isEmpty();
  }

  @Test
  void aPathIsNoBetterThanItsEnds() {
    subnet.add(16, 2, Mtu.MTU_1024, Rate.RATE_10, 0xffff);
    Attribute query = path().set(PathRecord.SLID, 2).set(PathRecord.DLID, 18);
    Attribute found = get(query);
    assertThat(found.getInt(PathRecord.MTU)).isEqualTo(Mtu.MTU_1024.number());
    assertThat(found.getInt(PathRecord.RATE)).isEqualTo(Rate.RATE_10.number());
    assertThat(found.getInt(PathRecord.DLID)).isEqualTo(18);
    query.set(PathRecord.RATE, Rate.RATE_10.number());
    assertThat(get(query)).isNotNull();
    query.set(PathRecord.RATE_SELECTOR, Selector.GREATER);
    assertThat(table(query)).isEmpty();
    // The code of 5 Gb/s (5) is larger than that of 10 Gb/s (3).
    query.set(PathRecord.RATE, Rate.RATE_5.number());
    assertThat(table(query)).hasSize(1);
  }

  @Test
  void aPortWithSeveralLidsHasAPathToEach() {
    subnet.add(16, 2, Mtu.MTU_4096, Rate.RATE_10, 0xffff);
    Attribute query =
        path().set(PathRecord.SLID, 2).set(PathRecord.DGID, FakeSubnet.gid(16).toBytes());
    assertThat(table(query))
        .extracting(p -> p.getInt(PathRecord.DLID))
        .containsExactly(16, 17, 18, 19);
    assertThat(table(query.set(PathRecord.NUMB_PATH, 1))).hasSize(1);
    assertThat(table(path().set(PathRecord.SLID, 17).set(PathRecord.DLID, 2)))
        .extracting(p -> p.getInt(PathRecord.SLID))
        .containsExactly(17);
  }

  @Test
  void onlyPortsThatShareAPartitionHaveAPath() {
    subnet.add(10, 0, Mtu.MTU_4096, Rate.RATE_10, 0x7fff, 0x8001);
    subnet.add(11, 0, Mtu.MTU_4096, Rate.RATE_10, 0x7fff, 0x0001);
    subnet.add(12, 0, Mtu.MTU_4096, Rate.RATE_10, 0x8002);
    Attribute query = path().set(PathRecord.SLID, 10);
    assertThat(get(query.set(PathRecord.DLID, 2)).get(PathRecord.PKEY)).isEqualTo(0x7fff);
    // Limited members of the first partition cannot reach each other.
    assertThat(get(query.set(PathRecord.DLID, 11)).get(PathRecord.PKEY)).isEqualTo(0x8001);
    assertThat(table(query.copy().set(PathRecord.PKEY, 0xffff))).isEmpty();
    assertThat(table(query.set(PathRecord.DLID, 12))).isEmpty();
  }

  @Test
  void nodesAndPortsAreFoundByAnyComponent() {
    List<Attribute> nodes = table(new Attribute(NodeRecord.FORMAT));
    assertThat(nodes).extracting(node -> node.getInt(NodeRecord.LID)).containsExactly(1, 2, 3, 4);
    byte[] name = "node3".getBytes(StandardCharsets.UTF_8);
    Attribute query = new Attribute(NodeRecord.FORMAT).set(NodeRecord.NODE_DESCRIPTION, name);
    assertThat(get(query).get(NodeInfo.PORT_GUID)).isEqualTo(0x103);
    Attribute port = get(new Attribute(PortInfoRecord.FORMAT).set(PortInfo.LID, 4));
    assertThat(port.getInt(PortInfoRecord.ENDPORT_LID)).isEqualTo(4);
    assertThat(port.getInt(PortInfo.MASTER_SM_LID)).isEqualTo(1);
    assertThat(port.getInt(PortInfo.PORT_STATE)).isEqualTo(4);
    assertThat(refusal(MadCall.subnAdmGet(new Attribute(NodeRecord.FORMAT))))
        .isEqualTo(MadStatus.SA_TOO_MANY_RECORDS);
  }

  private static Attribute member(Gid mgid, int lid, int state) {
    return new Attribute(McMemberRecord.FORMAT)
        .set(McMemberRecord.MGID, mgid.toBytes())
        .set(McMemberRecord.PORT_GID, FakeSubnet.gid(lid).toBytes())
        .set(McMemberRecord.JOIN_STATE, state);
  }

  private static Attribute creator(Gid mgid, int lid) {
    return member(mgid, lid, McMemberRecord.FULL_MEMBER)
        .set(McMemberRecord.QKEY, 0x0b1b)
        .set(McMemberRecord.PKEY, 0xffff)
        .set(McMemberRecord.SL, 0)
        .set(McMemberRecord.FLOW_LABEL, 0)
        .set(McMemberRecord.TCLASS, 0);
  }

  @Test
  void theFirstFullMemberMakesAGroupAndTheLastOneEndsIt() {
    Attribute made = lab.ask(MadCall.subnAdmSet(creator(GROUP, 2)), 0);
    int mlid = made.getInt(McMemberRecord.MLID);
    assertThat(mlid).isBetween(0xc000, 0xfffe);
    assertThat(made.getInt(McMemberRecord.JOIN_STATE)).isEqualTo(McMemberRecord.FULL_MEMBER);
    Lab other = lab.from(3);
    int nonMember = McMemberRecord.NON_MEMBER;
    Attribute joined = other.ask(MadCall.subnAdmSet(member(GROUP, 3, nonMember)), 0);
    assertThat(joined.getInt(McMemberRecord.MLID)).isEqualTo(mlid);
    assertThat(joined.getInt(McMemberRecord.QKEY)).isEqualTo(0x0b1b);
    assertThat(subnet.members(GROUP)).containsExactly(0x102L, 0x103L);

    Attribute query =
        path()
            .set(PathRecord.SGID, FakeSubnet.gid(4).toBytes())
            .set(PathRecord.DGID, GROUP.toBytes());
    assertThat(get(query).getInt(PathRecord.DLID)).isEqualTo(mlid);
    Attribute group =
        new Attribute(McMemberRecord.FORMAT).set(McMemberRecord.MGID, GROUP.toBytes());
    assertThat(get(group).getInt(McMemberRecord.JOIN_STATE)).isZero();

    assertThat(lab.ask(MadCall.subnAdmDelete(member(GROUP, 2, McMemberRecord.FULL_MEMBER)), 0))
        .isNotNull();
    assertThat(subnet.members(GROUP)).isEmpty();
    assertThat(refusal(MadCall.subnAdmGet(group))).isEqualTo(MadStatus.SA_NO_RECORDS);
    assertThat(refusal(MadCall.subnAdmGet(query))).isEqualTo(MadStatus.SA_NO_RECORDS);
  }

  @Test
  void whoAsksForAnyGroupGetsOneOfItsOwn() {
    Attribute one = lab.ask(MadCall.subnAdmSet(creator(Gid.ZERO, 2)), 0);
    Attribute two = lab.ask(MadCall.subnAdmSet(creator(Gid.ZERO, 2)), 0);
    Gid mgid = Gid.ofBytes(one.getBytes(McMemberRecord.MGID));
    assertThat(mgid.isMulticast()).isTrue();
    assertThat(one.getInt(McMemberRecord.SCOPE)).isEqualTo(2);
    assertThat(one.getInt(McMemberRecord.MLID)).isNotEqualTo(two.getInt(McMemberRecord.MLID));
  }

  @Test
  void joinsThatCannotBeAreRefusedWithTheirReason() {
    assertThat(refusal(MadCall.subnAdmSet(creator(GROUP, 3)))).isEqualTo(MadStatus.SA_DENIED);
    assertThat(refusal(MadCall.subnAdmSet(creator(GROUP, 50)))).isEqualTo(MadStatus.SA_INVALID_GID);
    assertThat(refusal(MadCall.subnAdmSet(member(GROUP, 2, McMemberRecord.FULL_MEMBER))))
        .as("no such group, and not enough to make one")
        .isEqualTo(MadStatus.SA_INSUFFICIENT_COMPONENTS);
    assertThat(refusal(MadCall.subnAdmSet(member(GROUP, 2, McMemberRecord.SEND_ONLY))))
        .isEqualTo(MadStatus.SA_REQ_INVALID);
    assertThat(refusal(MadCall.subnAdmSet(creator(FakeSubnet.gid(3), 2))))
        .isEqualTo(MadStatus.SA_REQ_INVALID);
    assertThat(refusal(MadCall.subnAdmSet(creator(GROUP, 2).set(McMemberRecord.PKEY, 0x8005))))
        .isEqualTo(MadStatus.SA_REQ_INVALID);
    lab.ask(MadCall.subnAdmSet(creator(GROUP, 2)), 0);
    for (Field term : List.of(McMemberRecord.QKEY, McMemberRecord.SL, McMemberRecord.PKEY)) {
      Attribute other = member(GROUP, 2, McMemberRecord.FULL_MEMBER).set(term, 3);
      assertThat(refusal(MadCall.subnAdmSet(other)))
          .as(term.name())
          .isEqualTo(MadStatus.SA_REQ_INVALID);
    }
    Attribute leaver = member(GROUP, 2, McMemberRecord.NON_MEMBER);
    assertThat(refusal(MadCall.subnAdmDelete(leaver))).isEqualTo(MadStatus.SA_REQ_INVALID);
  }

  @Test
  void aPortThatLeavesTheSubnetLeavesItsGroupsAndServices() {
    lab.ask(MadCall.subnAdmSet(creator(GROUP, 2)), 0);
    lab.ask(MadCall.subnAdmSet(service(2)), 0);
    SubnetPort port = subnet.ports().get(1);
    subnet.remove(port);
    lab.portLeft(port.portGuid());
    assertThat(table(new Attribute(McMemberRecord.FORMAT))).isEmpty();
    assertThat(table(new Attribute(ServiceRecord.FORMAT))).isEmpty();
  }

  private static Attribute service(int lid) {
    return new Attribute(ServiceRecord.FORMAT)
        .set(ServiceRecord.SERVICE_ID, 0x1234)
        .set(ServiceRecord.SERVICE_GID, FakeSubnet.gid(lid).toBytes())
        .set(ServiceRecord.SERVICE_PKEY, 0xffff)
        .set(ServiceRecord.SERVICE_NAME, "echo".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aServiceIsFoundByNameAndChangedByWhoKnowsItsKey() {
    byte[] key = {1, 2, 3};
    lab.ask(MadCall.subnAdmSet(service(2).set(ServiceRecord.SERVICE_KEY, key)), 0);
    Attribute query =
        new Attribute(ServiceRecord.FORMAT)
            .set(ServiceRecord.SERVICE_NAME, "echo".getBytes(StandardCharsets.UTF_8));
    Attribute found = get(query);
    assertThat(found.get(ServiceRecord.SERVICE_ID)).isEqualTo(0x1234);
    assertThat(found.getBytes(ServiceRecord.SERVICE_KEY)).containsOnly(0);
    assertThat(found.getInt(ServiceRecord.SERVICE_LEASE)).isEqualTo(ServiceRecord.FOR_EVER);
    assertThat(refusal(MadCall.subnAdmDelete(service(2)))).isEqualTo(MadStatus.SA_DENIED);
    assertThat(refusal(lab.from(3), MadCall.subnAdmDelete(service(2))))
        .isEqualTo(MadStatus.SA_DENIED);
    lab.ask(MadCall.subnAdmDelete(service(2).set(ServiceRecord.SERVICE_KEY, key)), 0);
    assertThat(table(query)).isEmpty();
    assertThat(refusal(MadCall.subnAdmDelete(service(2)))).isEqualTo(MadStatus.SA_NO_RECORDS);
  }

  @Test
  void aServiceGoesWhenItsLeaseIsOver() {
    lab.ask(MadCall.subnAdmSet(service(2).set(ServiceRecord.SERVICE_LEASE, 10)), 0);
    lab.pass(9);
    assertThat(table(new Attribute(ServiceRecord.FORMAT))).hasSize(1);
    lab.pass(2);
    assertThat(table(new Attribute(ServiceRecord.FORMAT))).isEmpty();
  }

  @Test
  void whatTheAdministratorIsAbleToIsAskedLikeAnythingElse() {
    Attribute info = get(new Attribute(ClassPortInfo.FORMAT));
    assertThat(info.getInt(ClassPortInfo.CLASS_VERSION)).isEqualTo(2);
    assertThat(refusal(MadCall.subnAdmGetTable(new Attribute(ClassPortInfo.FORMAT))))
        .isEqualTo(MadStatus.UNSUPPORTED_ATTRIBUTE);
    assertThat(refusal(MadCall.subnAdmGet(new Attribute(PortInfo.FORMAT))))
        .isEqualTo(MadStatus.UNSUPPORTED_ATTRIBUTE);
    assertThat(refusal(MadCall.subnAdmSet(path()))).isEqualTo(MadStatus.UNSUPPORTED_ATTRIBUTE);
  }
}
