package dev.verbena.soft.device.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.VerbsException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoftSpecTest {

  @Test
  void theFirstDeviceHasNoAddressAndTheUsualOptions() {
    assertThat(parse("soft0"))
        .isEqualTo(
            new SoftSpec(null, null, LinkKind.AUTO, FaultSpec.NONE, null, true, null, 0x5642));
  }

  @Test
  void allOptionsAreUnderstood() {
    SoftSpec spec =
        parse(
            "soft:10.77.0.1?link=udp&faults=drop:0.05,seed:7&capture=/tmp/a.pcapng&icrc=off"
                + "&ether=eth0&vendor_part_id=4119");
    assertThat(spec.address()).isEqualTo(Gid.parse("10.77.0.1"));
    assertThat(spec.link()).isEqualTo(LinkKind.UDP);
    assertThat(spec.faults()).isEqualTo(FaultSpec.parse("drop:0.05,seed:7"));
    assertThat(spec.capture()).isEqualTo(Path.of("/tmp/a.pcapng").toAbsolutePath());
    assertThat(spec.checkIcrc()).isFalse();
    assertThat(spec.ether()).isEqualTo("eth0");
    assertThat(spec.vendorPartId()).isEqualTo(4119);
  }

  @Test
  void thePartNumberMayBeHexadecimalAsTheKernelWritesIt() {
    assertThat(parse("soft0?vendor_part_id=0x1017").vendorPartId()).isEqualTo(4119);
    assertThat(parse("soft0?vendor_part_id=0XffffFFFF").vendorPartId()).isEqualTo(-1);
    assertThat(parse("soft0?vendor_part_id=010").vendorPartId()).isEqualTo(10);
  }

  @Test
  void anIpv6AddressKeepsItsColons() {
    assertThat(parse("soft:fd00::1").address()).isEqualTo(Gid.parse("fd00::1"));
  }

  @Test
  void aNewDeviceGetsAnAddressThatNobodyHas() {
    SoftSpec one = parse("soft:new");
    SoftSpec other = parse("soft:new?link=packet");
    assertThat(one.address()).isNotEqualTo(other.address());
    assertThat(one.packetLink(one.address())).isEqualTo(LinkKind.PACKET);
    assertThat(one.pinned(DeviceSpec.parse("soft:new?icrc=off")))
        .isEqualTo(DeviceSpec.parse("soft:" + one.address() + "?icrc=off"));
    DeviceSpec text = DeviceSpec.parse("soft:10.0.0.1?link=udp");
    assertThat(SoftSpec.parse(text).pinned(text)).isSameAs(text);
    assertThat(parse("soft:" + one.address())).isEqualTo(one);
    for (String link : new String[] {"udp", "shm"}) {
      assertThatThrownBy(() -> parse("soft:new?link=" + link))
          .hasMessageContaining("inside this process: link is auto or packet, not " + link);
    }
    Gid ofAnotherProcess = new Gid(one.address().subnetPrefix(), ~one.address().interfaceId());
    assertThatThrownBy(() -> parse("soft:" + ofAnotherProcess + "?link=packet"))
        .hasMessageContaining("in the memory of another process");
  }

  @Test
  void theNameOfADeviceStandsForItsAddress() {
    assertThat(parse("soft_127_0_0_7?link=udp")).isEqualTo(parse("soft:127.0.0.7?link=udp"));
    assertThat(parse("soft_fd00__1")).isEqualTo(parse("soft:fd00::1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "soft0?lnk=udp; unknown option 'lnk'; known: link, faults, capture, icrc",
        "soft0?link=tcp; tcp; auto, packet, udp, shm",
        "soft0?icrc=maybe; icrc is on or off; maybe",
        "soft0?faults=drop:2; drop; 0 to 1",
        "soft0?vendor_part_id=-1; vendor_part_id is a number from 0 to 4294967295; '-1'",
        "soft0?vendor_part_id=CX5; vendor_part_id is a number; 'CX5'",
        "soft0?vendor_part_id=0x; vendor_part_id is a number; '0x'",
        "soft0?vendor_part_id=0x100000000; vendor_part_id is a number; '0x100000000'",
        "soft; no address; soft:ADDRESS",
        "soft:example; example; IP address",
        "soft:0.0.0.0; 0.0.0.0; unicast address",
        "soft:224.0.0.1; 224.0.0.1; unicast address",
        "soft_224_0_0_1; soft_224_0_0_1; unicast address",
        "soft_10_0_0_1:10.0.0.2; takes no address; soft:10.0.0.2",
        "soft0:127.0.0.1; takes no address; soft:127.0.0.1"
      })
  void mistakesAreNamed(String text, String mistake, String advice) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining(mistake)
        .hasMessageContaining(advice);
  }

  @ParameterizedTest
  @CsvSource({
    "soft0, true",
    "soft0?link=auto&icrc=off, true",
    "soft0?link=packet, false",
    "soft0?link=udp, false",
    "soft0?capture=x.pcapng, false"
  })
  void onlyAPlainDevicePassesWholeMessages(String text, boolean loopback) {
    assertThat(parse(text).allowsLoopback()).isEqualTo(loopback);
  }

  @Test
  void faultsForbidWholeMessagesUnlessTheyNeverHappen() {
    assertThat(parse("soft0?faults=drop:0.1").allowsLoopback()).isFalse();
    assertThat(parse("soft0?faults=drop:0").allowsLoopback()).isTrue();
  }

  @Test
  void differencesAreNamedOneByOne() {
    SoftSpec one = parse("soft0?link=packet&icrc=off");
    assertThat(one.differences(one)).isEmpty();
    assertThat(one.differences(parse("soft0?capture=/x")))
        .contains("link=packet (asked for: auto)")
        .contains("icrc=off (asked for: on)")
        .contains("capture=none (asked for: /x)");
    assertThat(one.differences(parse("soft0?link=packet&icrc=off&vendor_part_id=4294967295")))
        .isEqualTo("vendor_part_id=22082 (asked for: 4294967295)");
  }

  private static SoftSpec parse(String text) {
    return SoftSpec.parse(DeviceSpec.parse(text));
  }
}
