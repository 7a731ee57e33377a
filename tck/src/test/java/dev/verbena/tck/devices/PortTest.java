package dev.verbena.tck.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidEntry;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.PortCap;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The port and its tables: S11.4 to S11.7. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PortTest {
  private final DeviceSpec spec = TckLink.firstOnEthernet().device();
  private final Context context = Devices.open(spec);
  private final PortAttr port = context.queryPort(1);
  private final int ports = context.queryDevice().physPortCnt();

  @AfterAll
  void closeContext() {
    context.close();
  }

  @Test
  @Proves("S11.4")
  void aRocePortIsUpAndHasNoLid() {
    assertThat(port.state()).isEqualTo(PortState.ACTIVE);
    assertThat(port.physState()).isEqualTo(5);
    assertThat(port.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
    assertThat(List.of(port.lid(), port.smLid(), port.lmc())).containsOnly(0);
    assertThat(port.maxMtu()).isEqualTo(Mtu.MTU_4096);
    assertThat(port.activeMtu()).as("on the loopback interface").isEqualTo(Mtu.MTU_4096);
    assertThat(port.maxMsgSz()).isGreaterThan(0x1000);
    int maxPkeys = context.queryDevice().maxPkeys();
    // Others may have fewer keys at a port, say less of it, and use another errno for an empty GID.
    assertThat(port.pkeyTblLen()).isBetween(TckLink.areDevicesOfOthers() ? 1 : maxPkeys, maxPkeys);
    assertThat(port.pkeyTblLen()).isPositive();
    assertThat(port.gidTblLen()).isPositive();
    assertThat(port.activeWidth()).isIn(1, 2, 4, 8, 16);
    assertThat(port.activeSpeed()).isIn(1, 2, 4, 8, 16, 32, 64, 128);
    int caps = PortCap.CM_SUP | (TckLink.areDevicesOfOthers() ? 0 : PortCap.IP_BASED_GIDS);
    assertThat(port.portCapFlags() & caps).isEqualTo(caps);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 255, 256, Integer.MAX_VALUE})
  @Proves({"S11.4", "S11.5", "S11.6"})
  void aPortThatDoesNotExistIsRefused(int number) {
    String named = Integer.toString(number);
    Refused.of(() -> context.queryPort(number), Errno.EINVAL)
        .from("queryPort")
        .naming(named, "Invalid argument");
    Refused.of(() -> context.queryGid(number, 0), Errno.EINVAL).naming(named);
    Refused.of(() -> context.queryGidEx(number, 0), Errno.EINVAL).naming(named);
    Refused.of(() -> context.queryPkey(number, 0), Errno.EINVAL).naming(named);
    Refused.of(() -> context.getPkeyIndex(number, 0xffff), Errno.EINVAL).naming(named);
  }

  @Test
  @Proves("S11.4")
  void thePortBehindTheLastIsRefused() {
    Refused.of(() -> context.queryPort(ports + 1), Errno.EINVAL)
        .naming(Integer.toString(ports + 1), Integer.toString(ports));
  }

  @Test
  @Proves("S11.5")
  void theFirstGidIsTheDevicesAddress() {
    assertThat(context.queryGid(1, 0)).isEqualTo(Gid.parse(spec.address()));
    GidEntry entry = context.queryGidEx(1, 0);
    assertThat(entry.gid()).isEqualTo(context.queryGid(1, 0));
    assertThat(entry.gidIndex()).isZero();
    assertThat(entry.portNum()).isEqualTo(1);
    assertThat(entry.gidType()).isEqualTo(GidType.ROCE_V2);
    assertThat(entry.ndevIfindex()).isNotNegative();
  }

  @Test
  @Proves("S11.5")
  void everyIndexOfTheTableCanBeAskedForAndOnlyFilledOnesAreListed() {
    List<GidEntry> filled = new ArrayList<>();
    for (int i = 0; i < port.gidTblLen(); i++) {
      int index = i;
      if (context.queryGid(1, index).isZero()) {
        Refused.of(() -> context.queryGidEx(1, index), Errno.ENODATA)
            .naming(Integer.toString(index));
      } else {
        filled.add(context.queryGidEx(1, index));
      }
    }
    assertThat(context.queryGidTable()).isEqualTo(filled).isNotEmpty();
  }

  @Test
  @Proves("S11.5")
  void anIndexOutsideTheGidTableIsRefused() {
    for (int index : new int[] {-1, port.gidTblLen(), Integer.MAX_VALUE}) {
      Refused.of(() -> context.queryGid(1, index), Errno.EINVAL).naming(Integer.toString(index));
      Refused.of(() -> context.queryGidEx(1, index), Errno.EINVAL).naming(Integer.toString(index));
    }
  }

  @Test
  @ResourceLock("[::1]:4791")
  @Proves("S11.5")
  void anIpv6AddressIsItsOwnGid() {
    try (Context ipv6 = Devices.open(DeviceSpec.soft("::1").link(LinkKind.PACKET))) {
      assertThat(ipv6.queryGid(1, 0)).isEqualTo(new Gid(0, 1));
      assertThat(ipv6.queryGidEx(1, 0).gidType()).isEqualTo(GidType.ROCE_V2);
    }
  }

  @Test
  @Proves("S11.6")
  void theFirstPkeyIsTheDefaultOneOfAFullMember() {
    assertThat(context.queryPkey(1, 0)).isEqualTo(0xffff);
    assertThat(context.getPkeyIndex(1, 0xffff)).isZero();
  }

  @Test
  @Proves("S11.6")
  void anUnknownPkeyOrIndexIsRefused() {
    for (int index : new int[] {-1, port.pkeyTblLen(), 0x10000}) {
      Refused.of(() -> context.queryPkey(1, index), Errno.EINVAL).naming(Integer.toString(index));
    }
    Refused.of(() -> context.getPkeyIndex(1, 0x7fff), Errno.ENOENT).naming("7fff");
    Refused.of(() -> context.getPkeyIndex(1, 0x1234), Errno.ENOENT).naming("1234");
  }

  @Test
  @Proves("S11.7")
  void anAddressHandleKeepsItsAddress() {
    AhAttr attr = Addresses.of(context).withTrafficClass(9).withSl(3);
    try (ProtectionDomain pd = context.allocPd()) {
      AddressHandle ah = pd.createAh(attr);
      assertThat(ah.attr()).isEqualTo(attr);
      assertThat(ah.pd()).isSameAs(pd);
      Refused.of(pd::dealloc, Errno.EBUSY);
      ah.destroy();
      assertThat(ah.isClosed()).isTrue();
    }
  }

  @Test
  @Proves("S11.7")
  void anAddressThatRoceCannotReachIsRefused() {
    AhAttr good = Addresses.of(context);
    try (ProtectionDomain pd = context.allocPd()) {
      for (AhAttr bad :
          List.of(
              good.withoutGrh(),
              good.withPortNum(0),
              good.withPortNum(ports + 1),
              good.withSgidIndex(-1),
              good.withSgidIndex(port.gidTblLen()))) {
        Refused.of(() -> pd.createAh(bad), Errno.EINVAL).from("createAh");
      }
      for (int i = 0; i < port.gidTblLen(); i++) {
        if (context.queryGid(1, i).isZero()) {
          AhAttr empty = good.withSgidIndex(i);
          int errno = TckLink.areDevicesOfOthers() ? Errno.ENODATA : Errno.EINVAL;
          Refused.of(() -> pd.createAh(empty), errno, Errno.EINVAL).naming(Integer.toString(i));
        }
      }
      pd.dealloc();
    }
  }
}
