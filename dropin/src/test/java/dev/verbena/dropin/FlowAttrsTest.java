package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.verbena.dropin.struct.FlowAttrs;
import dev.verbena.rdmacore.layout.IbvFlowAttr;
import dev.verbena.rdmacore.layout.IbvFlowSpec;
import dev.verbena.rdmacore.layout.IbvFlowSpecActionDrop;
import dev.verbena.rdmacore.layout.IbvFlowSpecActionTag;
import dev.verbena.rdmacore.layout.IbvFlowSpecEth;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv4;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv4Ext;
import dev.verbena.rdmacore.layout.IbvFlowSpecIpv6;
import dev.verbena.rdmacore.layout.IbvFlowSpecTcpUdp;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.FlowEthFilter;
import dev.verbena.verbs.FlowFlags;
import dev.verbena.verbs.FlowIpv4Filter;
import dev.verbena.verbs.FlowIpv6Filter;
import dev.verbena.verbs.FlowSpecActionDrop;
import dev.verbena.verbs.FlowSpecActionTag;
import dev.verbena.verbs.FlowSpecEth;
import dev.verbena.verbs.FlowSpecIpv4;
import dev.verbena.verbs.FlowSpecIpv6;
import dev.verbena.verbs.FlowSpecTcpUdp;
import dev.verbena.verbs.FlowSpecType;
import dev.verbena.verbs.FlowTcpUdpFilter;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.MacAddress;
import dev.verbena.verbs.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads steering rules as a program lays them out. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "libibverbs is Linux's")
final class FlowAttrsTest {
  private final FlowMemory memory = new FlowMemory();

  @AfterEach
  void unmap() {
    memory.close();
  }

  @Test
  void theRuleItselfHasTypePriorityPortAndFlags() {
    memory.rule(1).priority(0xfedc).port(1).flags(FlowFlags.DONT_TRAP);

    FlowAttr attr = FlowAttrs.read(memory.address());

    assertThat(attr.type()).isEqualTo(FlowAttrType.ALL_DEFAULT);
    assertThat(attr.priority()).isEqualTo(0xfedc);
    assertThat(attr.port()).isOne();
    assertThat(attr.flags()).isEqualTo(FlowFlags.DONT_TRAP);
    assertThat(attr.specs()).isEmpty();
  }

  @Test
  void everyFieldOfEveryConditionIsReadInTheNetworksOrder() {
    memory
        .rule(0)
        .spec(IbvFlowSpecEth.LAYOUT, 0x20)
        .bytes(IbvFlowSpecEth.VAL_DST_MAC, "020304050607 121314151617 0800 6007")
        .bytes(IbvFlowSpecEth.MASK_DST_MAC, "ffffffffffff 0000000000ff ffff 0fff")
        .spec(IbvFlowSpecIpv4.LAYOUT, 0x30)
        .bytes(IbvFlowSpecIpv4.VAL_SRC_IP, "0a000001 0a000002")
        .bytes(IbvFlowSpecIpv4.MASK_SRC_IP, "ffffff00 ffffffff")
        .spec(IbvFlowSpecIpv4Ext.LAYOUT, 0x32)
        .bytes(IbvFlowSpecIpv4Ext.VAL_SRC_IP, "0a000003 0a000004 06 20 40 02")
        .bytes(IbvFlowSpecIpv4Ext.MASK_SRC_IP, "f0000000 0f000000 ff fc fe 03")
        .spec(IbvFlowSpecTcpUdp.LAYOUT, 0x41)
        .bytes(IbvFlowSpecTcpUdp.VAL_DST_PORT, "12b7 c000")
        .bytes(IbvFlowSpecTcpUdp.MASK_DST_PORT, "ffff f000");

    assertThat(FlowAttrs.read(memory.address()).specs())
        .containsExactly(
            new FlowSpecEth(
                new FlowEthFilter(
                    MacAddress.parse("02:03:04:05:06:07"),
                    MacAddress.parse("12:13:14:15:16:17"),
                    0x0800,
                    0x6007),
                new FlowEthFilter(
                    MacAddress.BROADCAST, MacAddress.parse("00:00:00:00:00:ff"), 0xffff, 0x0fff)),
            new FlowSpecIpv4(
                new FlowIpv4Filter(0x0a000001, 0x0a000002, 0, 0, 0, 0),
                new FlowIpv4Filter(0xffffff00, -1, 0, 0, 0, 0)),
            new FlowSpecIpv4(
                new FlowIpv4Filter(0x0a000003, 0x0a000004, 6, 0x20, 0x40, 2),
                new FlowIpv4Filter(0xf0000000, 0x0f000000, 0xff, 0xfc, 0xfe, 3)),
            new FlowSpecTcpUdp(
                FlowSpecType.UDP,
                new FlowTcpUdpFilter(0x12b7, 0xc000),
                new FlowTcpUdpFilter(0xffff, 0xf000)));
  }

  @Test
  void conditionsOnIpv6AndActionsAreReadToo() {
    memory
        .rule(0)
        .spec(IbvFlowSpecIpv6.LAYOUT, 0x31)
        .bytes(IbvFlowSpecIpv6.VAL_SRC_IP, "fd" + "00".repeat(14) + "01")
        .bytes(IbvFlowSpecIpv6.VAL_DST_IP, "fd" + "00".repeat(14) + "02")
        .bytes(IbvFlowSpecIpv6.VAL_FLOW_LABEL, "000abcde 11 22 40")
        .bytes(IbvFlowSpecIpv6.MASK_SRC_IP, "ff".repeat(16))
        .bytes(IbvFlowSpecIpv6.MASK_FLOW_LABEL, "000fffff ff fe fd")
        .spec(IbvFlowSpecTcpUdp.LAYOUT, 0x40)
        .spec(IbvFlowSpecActionTag.LAYOUT, 0x1000)
        .bytes(IbvFlowSpecActionTag.TAG_ID, "78563412")
        .spec(IbvFlowSpecActionDrop.LAYOUT, 0x1001);

    assertThat(FlowAttrs.read(memory.address()).specs())
        .containsExactly(
            new FlowSpecIpv6(
                new FlowIpv6Filter(
                    Gid.parse("fd00::1"), Gid.parse("fd00::2"), 0xabcde, 0x11, 0x22, 0x40),
                new FlowIpv6Filter(new Gid(-1, -1), Gid.ZERO, 0xfffff, 0xff, 0xfe, 0xfd)),
            FlowSpecTcpUdp.tcp(),
            new FlowSpecActionTag(0x12345678),
            new FlowSpecActionDrop());
  }

  @Test
  void aSizeOfTheStructAloneIsTakenAsPyverbsMeansIt() {
    memory.rule(0).spec(IbvFlowSpecEth.LAYOUT, 0x20).size((int) IbvFlowAttr.LAYOUT.size());

    assertThat(FlowAttrs.read(memory.address()).specs()).containsExactly(new FlowSpecEth());
  }

  @Test
  void whatFollowsTheSpecificationsIsNotLookedAt() {
    memory
        .rule(0)
        .spec(IbvFlowSpecEth.LAYOUT, 0x20)
        .spec(IbvFlowSpecActionDrop.LAYOUT, 0x7777)
        .count(1);

    assertThat(FlowAttrs.read(memory.address()).specs()).containsExactly(new FlowSpecEth());
  }

  @Test
  void noByteBehindTheGivenSizeIsRead() {
    memory.rule(0).spec(IbvFlowSpecEth.LAYOUT, 0x20).count(2);
    refused(Errno.EINVAL, memory.atTheEndOfAPage(), "num_of_specs 2", "number 1");
  }

  @Test
  void aSpecificationThatEndsBehindTheWholeIsRefused() {
    memory.rule(0).spec(IbvFlowSpecEth.LAYOUT, 0x20).size((int) IbvFlowAttr.LAYOUT.size() + 38);
    refused(Errno.EINVAL, memory.address(), "38 bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 38, 41, 48})
  void aSpecificationOfAnotherSizeThanItsTypeHasIsRefused(int size) {
    memory.rule(0).spec(IbvFlowSpecEth.LAYOUT, 0x20).specSize(size).size(0xffff);
    refused(Errno.EINVAL, memory.address(), "ETH of " + size);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 19})
  void aRuleSmallerThanItsStructIsRefused(int size) {
    memory.rule(0).size(size);
    refused(Errno.EINVAL, memory.address(), "size " + size);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x34, 0x50, 0x51, 0x60, 0x1002, 0x1003, 0x134, 0x150})
  void whatLibibverbsHasAndTheDeviceHasNotIsUnsupportedByItsNumber(int type) {
    memory.rule(0).spec(IbvFlowSpec.LAYOUT, type);
    refused(Errno.EOPNOTSUPP, memory.address(), "type 0x" + Integer.toHexString(type));
  }

  @ParameterizedTest
  @ValueSource(ints = {0x120, 0x130, 0x131, 0x132, 0x140, 0x141})
  void conditionsOnWhatATunnelCarriesAreUnsupported(int type) {
    memory.rule(0).spec(IbvFlowSpec.LAYOUT, type);
    refused(Errno.EOPNOTSUPP, memory.address(), "INNER");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 0x21, 0x33, 0x42, 0x121, 0x200, 0x1004, 0x10000020})
  void aTypeThatNobodyHasIsRefused(int type) {
    memory.rule(0).spec(IbvFlowSpecEth.LAYOUT, type);
    refused(Errno.EINVAL, memory.address(), "");
  }

  @Test
  void aTypeOfRuleThatNobodyHasIsRefused() {
    memory.rule(4);
    refused(Errno.EINVAL, memory.address(), "4");
  }

  @Test
  void compMaskHasNoBits() {
    memory.rule(0).put(IbvFlowAttr.COMP_MASK, 1);
    refused(Errno.EINVAL, memory.address(), "comp_mask 0x1");
  }

  private static void refused(int errno, long rule, String... words) {
    assertThatExceptionOfType(VerbsException.class)
        .isThrownBy(() -> FlowAttrs.read(rule))
        .satisfies(e -> assertThat(e.errno()).isEqualTo(errno))
        .satisfies(e -> assertThat(e.getMessage()).contains(words));
  }
}
