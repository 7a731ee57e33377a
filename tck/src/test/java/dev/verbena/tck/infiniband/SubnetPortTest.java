package dev.verbena.tck.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.verbs.spi.SubnetPort;
import org.junit.jupiter.api.Test;

/** The attributes of a port on an InfiniBand subnet, and opening its device. */
final class SubnetPortTest {

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void aPortHasALidAndNeedsNoGlobalRoute(TckLink link) {
    try (Context context = Devices.open(link.device())) {
      PortAttr port = context.queryPort(1);
      assertThat(port.linkLayer()).isEqualTo(LinkLayer.INFINIBAND);
      assertThat(port.state()).isEqualTo(PortState.ACTIVE);
      assertThat(port.lid()).isBetween(1, 0xbfff);
      assertThat(port.lmc()).isZero();
      assertThat(port.flags() & PortAttr.GRH_REQUIRED).isZero();
      assertThat(port.activeMtu()).isEqualTo(Mtu.MTU_4096);
      assertThat(port.subnetTimeout()).isEqualTo(Subnet.of(context).subnetTimeout());
      assertThat(port.smLid()).isEqualTo(Subnet.of(context).smLid());
      assertThat(context.queryPortSpeed(1)).isEqualTo(400);
    }
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void theGidIsTheSubnetsPrefixAndThePortsGuid(TckLink link) {
    DeviceSpec spec = link.device();
    try (Context context = Devices.open(spec)) {
      GidEntry entry = context.queryGidTable().getFirst();
      SubnetPort port = portOf(context);
      assertThat(entry.gidType()).isEqualTo(GidType.IB);
      assertThat(entry.gid().subnetPrefix()).isEqualTo(0xfe80L << 48);
      assertThat(entry.gid().interfaceId()).isEqualTo(port.portGuid());
      assertThat(port.gids()).containsExactly(entry.gid());
      assertThat(port.nodeGuid()).isEqualTo(context.device().guid()).isNotEqualTo(port.portGuid());
      assertThat(context.queryDevice().nodeGuid()).isEqualTo(port.nodeGuid());
      assertThat(context.device().name()).isEqualTo("ib_" + spec.address());
      assertThat(port.lid()).isEqualTo(context.queryPort(1).lid());
    }
  }

  static SubnetPort portOf(Context context) {
    long guid = context.queryGid(1, 0).interfaceId();
    return Subnet.of(context).ports().stream()
        .filter(port -> port.portGuid() == guid)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aPortWithPathBitsHasAsManyLidsAndNoOtherPortHasOneOfThem() {
    try (Context wide = Devices.open("ib:" + Addresses.next() + "?lmc=3");
        Context plain = Devices.open("ib:" + Addresses.next())) {
      PortAttr port = wide.queryPort(1);
      assertThat(port.lmc()).isEqualTo(3);
      assertThat(port.lid() % 8).isZero();
      assertThat(plain.queryPort(1).lid()).matches(lid -> lid < port.lid() || lid > port.lid() + 7);
      assertThat(portOf(wide).hasLid(port.lid() + 7)).isTrue();
      assertThat(portOf(wide).hasLid(port.lid() + 8)).isFalse();
    }
  }

  @Test
  void theTableOfPkeysBeginsWithThoseOfTheSpecification() {
    try (Context context = Devices.open("ib:" + Addresses.next() + "?pkeys=0xffff,0x8001,0x0002")) {
      assertThat(context.queryPort(1).pkeyTblLen()).isEqualTo(32);
      assertThat(context.queryDevice().maxPkeys()).isEqualTo(32);
      assertThat(context.queryPkey(1, 1)).isEqualTo(0x8001);
      assertThat(context.queryPkey(1, 2)).isEqualTo(2);
      assertThat(context.queryPkey(1, 31)).isZero();
      assertThat(context.getPkeyIndex(1, 0x8001)).isEqualTo(1);
      Refused.of(() -> context.queryPkey(1, 32), Errno.EINVAL).naming("32 entries");
      Refused.of(() -> context.getPkeyIndex(1, 0x8003), Errno.ENOENT);
    }
  }

  @Test
  void aNodeIsListedWhileItIsOpenAndOpensByItsNameToo() {
    String name = Addresses.next();
    try (Context context = Devices.open("ib:" + name)) {
      Device listed =
          Devices.list().stream()
              .filter(device -> device.name().equals("ib_" + name))
              .findFirst()
              .orElseThrow();
      assertThat(listed.guid()).isEqualTo(context.device().guid());
      try (Context again = Devices.open("ib_" + name)) {
        assertThat(again.queryPort(1).lid()).isEqualTo(context.queryPort(1).lid());
      }
      Refused.of(() -> Devices.open("ib:" + name + "?lmc=1"), Errno.EBUSY).naming("lmc");
    }
    assertThat(Devices.list()).noneMatch(device -> device.name().equals("ib_" + name));
  }

  @Test
  void aDeviceWithoutEthernetSaysSoAndRefusesFrames() {
    try (Context context = Devices.open("ib:" + Addresses.next())) {
      DeviceAttrEx attr = context.queryDeviceEx();
      assertThat(attr.rssCaps().maxRwqIndirectionTables()).isZero();
      assertThat(attr.maxWqTypeRq()).isZero();
      assertThat(attr.rawPacketCaps()).isZero();
      assertThat(attr.origAttr().maxRawEthyQp()).isZero();
      QpInitAttr raw = QpInitAttr.ud(context.createCq(1)).qpType(QpType.RAW_PACKET);
      Refused.of(() -> context.allocPd().createQp(raw), Errno.EOPNOTSUPP).naming("INFINIBAND");
      Refused.of(() -> context.queryMac(1), Errno.EOPNOTSUPP).naming("INFINIBAND");
    }
  }

  @Test
  void mistakesOfASpecificationAreNamed() {
    refused("ib", "ib:NAME");
    refused("ib:a b", "'a b'");
    refused("ib:sm", "manager");
    refused("ib:a?lmc=8", "lmc", "0 to 7");
    refused("ib:a?lmc=", "lmc");
    refused("ib:a?pkeys=0x10000", "0x10000");
    refused("ib:a?pkeys=1,,2", "''");
    refused("ib:a?pkeys=" + "1,".repeat(32) + "1", "33", "32");
    refused("ib:a?link=udp", "auto or packet");
    refused("ib:a?ether=lo", "ether", "lmc, pkeys");
    refused("soft0?lmc=1", "lmc");
  }

  private static void refused(String spec, String... parts) {
    Refused.of(() -> Devices.open(spec), Errno.EINVAL).from("openDevice").naming(parts);
  }
}
