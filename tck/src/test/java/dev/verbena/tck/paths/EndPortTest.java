package dev.verbena.tck.paths;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceAttr;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.RdmaDevice;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** Devices and ports by the names that people use, and their attributes. */
final class EndPortTest {
  @Test
  @Proves({"PY-002", "PY-005"})
  void withoutANameItIsTheFirstPortOfTheFirstDevice() {
    EndPort port = Rdma.getEndPort();
    RdmaDevice first = Rdma.getDevices().getFirst();
    assertThat(port).isSameAs(first.endPort(1));
    assertThat(Rdma.getDevice()).isSameAs(first);
    assertThat(first.name()).isEqualTo(Devices.list().getFirst().name());
    assertThat(Rdma.getDevice(first.name())).isSameAs(first);
  }

  @OnEveryLink
  @Proves({"PY-002", "PY-003", "PY-005", "PY-120"})
  void aPortIsFoundByDeviceAndByNumberAndByItsAddresses(TckLink link) {
    String spec = link.device().toString();
    EndPort port = Rdma.getEndPort(spec);
    try (Context context = Rdma.getVerbs(port)) {
      RdmaDevice device = port.device();
      assertThat(context.endPort()).isSameAs(port);
      assertThat(context.device()).isEqualTo(device.device());
      Gid gid = context.queryGid(1, 0);
      assertThat(Rdma.getDevices()).contains(device);
      assertThat(Rdma.getDevice(device.name())).isSameAs(device);
      assertThat(Rdma.getDevice(device.nodeGuid().toString())).isSameAs(device);
      assertThat(Rdma.getDevice(String.format("0x%016X", device.nodeGuid().value())))
          .isSameAs(device);
      for (String name :
          new String[] {
            device.name(),
            device.name() + "/1",
            gid.toString(),
            port.portGuid().toString(),
            String.format("0x%016x", port.portGuid().value())
          }) {
        assertThat(Rdma.getEndPort(name)).as(name).isSameAs(port);
      }
      assertThat(IbPath.fromString("fe80::7%" + device.name() + "/1", Rdma.getEndPort()).endPort())
          .isSameAs(port);
      assertThat(IbPath.fromString("fe80::7%" + device.name() + "/1", Rdma.getEndPort()).dgid())
          .isEqualTo(Gid.parse("fe80::7"));
      try (Context other = Rdma.getVerbs(device)) {
        assertThat(other.endPort()).isSameAs(port);
        assertThat(other).isNotSameAs(context);
      }
      assertThat(context.isClosed()).isFalse();
    }
  }

  @Test
  @Proves({"PY-002", "PY-005"})
  void anUnknownNameIsRefused() {
    Refused.of(() -> Rdma.getEndPort("nothing0"), Errno.ENODEV).naming("nothing0");
    Refused.of(() -> Rdma.getEndPort("soft0/2"), Errno.EINVAL).naming("port 2", "soft0");
    Refused.of(() -> Rdma.getEndPort("fe80::dead:beef"), Errno.ENODEV).naming("fe80::dead:beef");
    Refused.of(() -> Rdma.getEndPort("1:2:3:4"), Errno.ENODEV).naming("0001:0002:0003:0004");
    Refused.of(() -> Rdma.getDevice("1:2:3:4"), Errno.ENODEV).naming("0001:0002:0003:0004");
    Refused.of(() -> Rdma.getDevice("nothing0"), Errno.ENODEV).naming("nothing0");
  }

  /** The case of soft0 while the kernel's rxe holds port 4791. */
  @Test
  @Proves({"PY-002", "PY-005"})
  void aDeviceThatCannotBeOpenedHidesNoOtherAndSaysWhy() throws IOException {
    String address = Addresses.next();
    EndPort taken;
    try (Context context = Devices.open(DeviceSpec.soft(address).link(LinkKind.UDP))) {
      taken = context.endPort();
    }
    taken.gidChange();
    InetSocketAddress place = new InetSocketAddress(address, 4791);
    try (DatagramSocket holder = new DatagramSocket(place);
        Context other = Devices.open(DeviceSpec.soft(Addresses.next()).link(LinkKind.PACKET))) {
      EndPort port = other.endPort();
      assertThat(holder.isBound()).isTrue();
      assertThat(Rdma.getDevices()).contains(taken.device(), port.device());
      Gid gid = other.queryGid(1, 0);
      assertThat(Rdma.getEndPort(gid.toString())).isSameAs(port);
      Refused.of(() -> Rdma.getEndPort("fe80::dead:beef"), Errno.ENODEV)
          .naming("fe80::dead:beef", "; " + taken.device() + " could not be asked: ", "4791");
    }
  }

  @OnEveryLink
  @Proves({"PY-181", "PY-182"})
  void aPortTellsWhatQueriesTell(TckLink link) {
    try (Context context = Devices.open(link.device())) {
      EndPort port = context.endPort();
      assertThat(context.endPort()).isSameAs(port);
      PortAttr attr = context.queryPort(1);
      assertThat(port.portId()).isEqualTo(1);
      assertThat(port.gids()).hasSize(attr.gidTblLen());
      for (int index = 0; index < attr.gidTblLen(); index++) {
        assertThat(port.gids().get(index)).isEqualTo(context.queryGid(1, index));
      }
      assertThat(port.pkeys()).hasSize(attr.pkeyTblLen());
      for (int index = 0; index < attr.pkeyTblLen(); index++) {
        assertThat(port.pkeys().get(index)).isEqualTo(context.queryPkey(1, index));
      }
      assertThat(port.lid()).isEqualTo(attr.lid());
      assertThat(port.lmc()).isEqualTo(attr.lmc());
      assertThat(port.smLid()).isEqualTo(attr.smLid());
      assertThat(port.smSl()).isEqualTo(attr.smSl());
      assertThat(port.state()).isEqualTo(attr.state());
      assertThat(port.physState()).isEqualTo(attr.physState());
      assertThat(port.linkLayer()).isEqualTo(attr.linkLayer());
      assertThat(port.capMask()).isEqualTo(attr.portCapFlags());
      assertThat(port.subnetTimeout()).isEqualTo(attr.subnetTimeout());
      assertThat(port.defaultGid()).isEqualTo(context.queryGid(1, 0));
      assertThat(port.pkeyIndex(0xffff)).isZero();
      port.lidChange();
      assertThat(port.lid()).isEqualTo(attr.lid());
    }
  }

  @OnEveryLink
  @Proves("PY-183")
  void aDeviceTellsWhatQueriesTell(TckLink link) {
    try (Context context = Devices.open(link.device())) {
      RdmaDevice device = context.endPort().device();
      DeviceAttr attr = context.queryDevice();
      assertThat(device.name()).isEqualTo(context.device().name());
      assertThat(device.endPorts()).hasSize(attr.physPortCnt());
      assertThat(device.physPortCount()).isEqualTo(attr.physPortCnt());
      assertThat(device.nodeType()).isEqualTo(context.device().nodeType());
      assertThat(device.nodeGuid()).isEqualTo(new Guid(attr.nodeGuid()));
      assertThat(device.sysImageGuid()).isEqualTo(new Guid(attr.sysImageGuid()));
      assertThat(device.fwVer()).isEqualTo(attr.fwVer());
      assertThat(device.hwVer()).isEqualTo(Integer.toString(attr.hwVer()));
      assertThat(device.nodeDesc()).isEqualTo(device.name());
      assertThat(device.boardId()).isEmpty();
      assertThat(device.hcaType()).matches("0x[0-9a-f]{4,}:0x[0-9a-f]{4,}");
    }
  }

  @OnEveryLink
  @Proves("PY-130")
  void aQueryWithoutPortIsThatOfTheEndPort(TckLink link) {
    try (Context context = Devices.open(link.device())) {
      EndPort port = context.endPort();
      PortAttr attr = context.queryPort();
      PortAttr first = context.queryPort(1);
      assertThat(attr.activeMtu()).isEqualTo(first.activeMtu());
      assertThat(attr.lid()).isEqualTo(first.lid());
      assertThat(port.subnetTimeout()).isEqualTo(attr.subnetTimeout());
      Refused.of(() -> context.queryPort(0), Errno.EINVAL);
      Refused.of(() -> context.queryPort(2), Errno.EINVAL);
    }
  }

  @OnEveryLink
  @Proves({"PY-003", "PY-182"})
  void aPortTellsOfItselfOnceItsContextIsClosed(TckLink link) {
    EndPort port;
    Gid gid;
    try (Context context = Devices.open(link.device())) {
      port = context.endPort();
      gid = port.defaultGid();
    }
    port.gidChange();
    assertThat(port.defaultGid()).isEqualTo(gid);
    try (Context again = Rdma.getVerbs(port)) {
      assertThat(again.endPort()).isSameAs(port);
      assertThat(port.defaultGid()).isEqualTo(again.queryGid(1, 0));
    }
  }
}
