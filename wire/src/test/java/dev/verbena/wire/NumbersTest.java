package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

/** PSNs, syndromes, timers, ports and addresses. */
class NumbersTest {
  @Test
  void psnsWrapAtTwentyFourBits() {
    assertThat(Psn.next(0xFFFFFE)).isEqualTo(0xFFFFFF);
    assertThat(Psn.next(0xFFFFFF)).isZero();
    assertThat(Psn.add(0xFFFFFE, 5)).isEqualTo(3);
    assertThat(Psn.add(3, -5)).isEqualTo(0xFFFFFE);
    assertThat(Psn.mask(0x1ABCDEF0)).isEqualTo(0xABCDEF0 & 0xFFFFFF);
  }

  @Test
  void aMessageTakesAPsnForEachPacketAndAtLeastOne() {
    assertThat(Psn.count(0, 1024)).isEqualTo(1);
    assertThat(Psn.count(1024, 1024)).isEqualTo(1);
    assertThat(Psn.count(1025, 1024)).isEqualTo(2);
    assertThat(Psn.count(1L << 31, 256)).isEqualTo(1 << 23);
  }

  @Test
  void psnsCompareByTheSignOfTheirDistance() {
    assertThat(Psn.diff(3, 0xFFFFFE)).isEqualTo(5);
    assertThat(Psn.diff(0xFFFFFE, 3)).isEqualTo(-5);
    assertThat(Psn.diff(7, 7)).isZero();
    assertThat(Psn.diff(Psn.MAX_OUTSTANDING, 0)).isEqualTo(Psn.MAX_OUTSTANDING);
    assertThat(Psn.diff(1 << 23, 0)).isEqualTo(-(1 << 23));
    assertThat(Psn.compare(0, 0xFFFFFF)).isPositive();
    assertThat(Psn.compare(0xFFFFFF, 0)).isNegative();
    assertThat(Psn.compare(0x1000005, 5)).isZero();
    assertThat(Psn.compare(Psn.MAX_OUTSTANDING, 0)).isPositive();
    assertThat(Psn.compare(1 << 23, 0)).isNegative();
  }

  @Test
  @Proves("S12.6.4")
  void syndromesHaveTheirKinds() {
    for (int syndrome = 0; syndrome < 256; syndrome++) {
      assertThat(AethSyndrome.isAck(syndrome)).isEqualTo(syndrome <= 0x1F);
      assertThat(AethSyndrome.isRnr(syndrome)).isEqualTo(syndrome >= 0x20 && syndrome <= 0x3F);
      assertThat(AethSyndrome.isNak(syndrome)).isEqualTo(syndrome >= 0x60 && syndrome <= 0x7F);
      assertThat(AethSyndrome.code(syndrome)).isEqualTo(syndrome & 0x1F);
    }
    for (int code = 0; code < 32; code++) {
      assertThat(AethSyndrome.ack(code)).isEqualTo(code);
      assertThat(AethSyndrome.rnr(code)).isEqualTo(0x20 | code);
    }
    assertThat(AethSyndrome.ACK_UNLIMITED).isEqualTo(0x1F);
    assertThat(AethSyndrome.NAK_PSN_SEQUENCE_ERROR).isEqualTo(0x60);
    assertThat(AethSyndrome.NAK_INVALID_REQUEST).isEqualTo(0x61);
    assertThat(AethSyndrome.NAK_REMOTE_ACCESS_ERROR).isEqualTo(0x62);
    assertThat(AethSyndrome.NAK_REMOTE_OPERATIONAL_ERROR).isEqualTo(0x63);
    assertThat(AethSyndrome.NAK_INVALID_RD_REQUEST).isEqualTo(0x64);
  }

  @Test
  @Proves("S12.5.11")
  void creditCodesMeanTheirCounts() {
    String table =
        "0:0 1:1 2:2 3:3 4:4 5:6 6:8 7:12 8:16 9:24 10:32 11:48 12:64 13:96 14:128 15:192 16:256"
            + " 17:384 18:512 19:768 20:1024 21:1536 22:2048 23:3072 24:4096 25:6144 26:8192"
            + " 27:12288 28:16384 29:24576 30:32768";
    for (String entry : table.split(" ", -1)) {
      int colon = entry.indexOf(':');
      int code = Integer.parseInt(entry.substring(0, colon));
      int count = Integer.parseInt(entry.substring(colon + 1));
      assertThat(AethSyndrome.credits(code)).as("code %d", code).isEqualTo(count);
      assertThat(AethSyndrome.creditCode(count)).isEqualTo(code);
    }
    assertThat(AethSyndrome.credits(31)).isEqualTo(AethSyndrome.UNLIMITED_CREDITS);
    assertThat(AethSyndrome.creditCode(5)).isEqualTo(4);
    assertThat(AethSyndrome.creditCode(1_000_000)).isEqualTo(30);
    assertThatThrownBy(() -> AethSyndrome.creditCode(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1");
  }

  @Test
  @Proves("S12.6.8")
  void rnrTimerCodesMeanTheirTimes() {
    String millis =
        "655.36 .01 .02 .03 .04 .06 .08 .12 .16 .24 .32 .48 .64 .96 1.28 1.92 2.56 3.84 5.12 7.68"
            + " 10.24 15.36 20.48 30.72 40.96 61.44 81.92 122.88 163.84 245.76 327.68 491.52";
    String[] times = millis.split(" ", -1);
    assertThat(times).hasSize(32);
    for (int code = 0; code < times.length; code++) {
      long nanos = new BigDecimal(times[code]).movePointRight(6).longValueExact();
      assertThat(RnrTimer.nanos(code)).as("code %d", code).isEqualTo(nanos);
    }
  }

  @Test
  void ackTimeoutsAreFourMicrosecondsTimesAPowerOfTwo() {
    assertThat(AckTimeout.nanos(0)).isEqualTo(AckTimeout.INFINITE);
    assertThat(AckTimeout.nanos(1)).isEqualTo(8192);
    assertThat(AckTimeout.nanos(14)).isEqualTo(67_108_864);
    assertThat(AckTimeout.nanos(31)).isEqualTo(4096L << 31);
  }

  @Test
  @Proves("S12.1.1")
  void flowLabelsBecomeSourcePorts() {
    assertThat(RocePorts.UDP_PORT).isEqualTo(4791);
    assertThat(RocePorts.sourcePort(0)).isEqualTo(0xC000);
    assertThat(RocePorts.sourcePort(0x3FFF)).isEqualTo(0xFFFF);
    // 0x12345: low 14 bits 0x2345, high 6 bits 0x04.
    assertThat(RocePorts.sourcePort(0x12345)).isEqualTo(0xC000 | (0x2345 ^ 0x04));
    assertThat(RocePorts.sourcePort(0xFFFFF)).isEqualTo(0xC000 | (0x3FFF ^ 0x3F));
    for (int label = 0; label < 1 << 20; label += 7) {
      assertThat(RocePorts.sourcePort(label)).isBetween(0xC000, 0xFFFF);
    }
  }

  @Test
  @Proves("S12.1.1")
  void queuePairNumbersBecomeFlowLabels() {
    assertThat(RocePorts.flowLabel(0x11, 0x12)).isEqualTo(0x11 * 0x12);
    // 0xFFFFFF * 0xFFFFFF = 0xFFFFFE000001; ^ >>20 0x0FFFFFE; ^ >>40 0xFF.
    long v = 0xFFFFFE000001L;
    v ^= 0xFFFFFE0L;
    v ^= 0xFFL;
    assertThat(RocePorts.flowLabel(0xFFFFFF, 0xFFFFFF)).isEqualTo((int) (v & 0xFFFFF));
    // By hand from S12.1.1, with high bits that fold down twice.
    assertThat(RocePorts.flowLabel(0xABCDEF, 0x123456)).isEqualTo(0xac3e3);
    assertThat(RocePorts.flowLabel(0xFFFFFF, 0x800001)).isEqualTo(0xfff78);
    assertThat(RocePorts.flowLabel(0x654321, 0xFEDCBA)).isEqualTo(0xddf3e);
    assertThat(RocePorts.flowLabel(0xF00001, 0xE00003)).isEqualTo(0xea);
    assertThat(RocePorts.flowLabel(77, 0xABCDEF)).isEqualTo(RocePorts.flowLabel(0xABCDEF, 77));
  }

  @Test
  void ipv4AddressesAreMappedIntoGids() {
    Address address = Address.ofIpv4(0xC0A80001);
    assertThat(address).isEqualTo(new Address(0, 0x0000FFFFC0A80001L));
    assertThat(address.ipv4()).isEqualTo(0xC0A80001);
    assertThat(address.isIpv4()).isTrue();
    assertThat(new Address(1, address.lo()).isIpv4()).isFalse();
    assertThat(new Address(0, 1).isIpv4()).isFalse();
    assertThat(new Address(0, 0x1FFFF00000000L).isIpv4()).isFalse();
  }

  @Test
  void multicastIsFfOrMapped224() {
    assertThat(new Address(0xFF0EL << 48, 1).isMulticast()).isTrue();
    assertThat(new Address(0xFE80L << 48, 1).isMulticast()).isFalse();
    assertThat(Address.ofIpv4(0xE0000001).isMulticast()).isTrue();
    assertThat(Address.ofIpv4(0xEFFFFFFF).isMulticast()).isTrue();
    assertThat(Address.ofIpv4(0xDFFFFFFF).isMulticast()).isFalse();
    assertThat(Address.ofIpv4(0xF0000000).isMulticast()).isFalse();
  }

  @Test
  void onlyAddressesOfFe80AreLinkLocal() {
    assertThat(new Address(0xFE80L << 48, 1).isLinkLocal()).isTrue();
    assertThat(new Address(0xFEBFL << 48, 1).isLinkLocal()).isTrue();
    assertThat(new Address(0xFEC0L << 48, 1).isLinkLocal()).isFalse();
    assertThat(Address.ofIpv4(0xA9FE0001).isLinkLocal()).isFalse();
  }

  @Test
  void addressesAreWrittenAsUsersWriteThem() {
    assertThat(Address.ofIpv4(0xC0A80001)).hasToString("192.168.0.1");
    assertThat(Address.UNSPECIFIED).hasToString("::");
    assertThat(new Address(0, 1)).hasToString("::1");
    assertThat(new Address(0xFE80L << 48, 2)).hasToString("fe80::2");
    assertThat(new Address(0xFE80L << 48, 0)).hasToString("fe80::");
    assertThat(new Address(0x0001_0000_0000_0002L, 0)).hasToString("1:0:0:2::");
    assertThat(new Address(0x0001_0000_0000_0002L, 0x0000_0000_0003_0004L))
        .hasToString("1::2:0:0:3:4");
    assertThat(new Address(0x0001_0000_0002_0003L, 0x0004_0000_0005_0A00L))
        .hasToString("1:0:2:3:4:0:5:a00");
  }
}
