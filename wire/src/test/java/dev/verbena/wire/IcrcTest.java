package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IcrcTest {
  /** Where the one masked byte of the BTH is, behind pseudo LRH, IPv4 and UDP header. */
  private static final int IPV4_BTH = 8 + 20 + 8;

  @ParameterizedTest(name = "{0}")
  @Proves({"S12.4.3", "S12.4.1"})
  @CsvSource({
    "CNP of a ConnectX-4, 45c2003c718c4000401191610a0011010a001201000012b700280000"
        + "8100ffff400001180000000000000000000000000000000000000000, 82fd002a",
    "RC SEND_ONLY, 4500003400004000401126b70a0000010a000002c00012b700200000"
        + "04f0ffff0000001180abcdef68656c6c6f000000, 59879d1b",
    "RC SEND_ONLY over IPv6, 6000000000201140fe800000000000000000000000000001"
        + "fe800000000000000000000000000002c00012b700200000"
        + "04f0ffff0000001180abcdef68656c6c6f000000, cd1459c2",
    "RC ACK, 4500003000004000401126bb0a0000010a000002c00012b7001c0000"
        + "1140ffff0000001200abcdef1f000001, df917681",
    "UD SEND_ONLY, 4500003800004000401126b30a0000010a000002c00012b700240000"
        + "6440ffff0000001200000005111111110000001161626364, 3f2204e6",
  })
  void publishedVectorsAreReproduced(String name, String headersAndPacket, String icrc) {
    MemorySegment frame = Hex.segment(headersAndPacket + icrc);
    IpUdpFrame headers = new IpUdpFrame();
    assertThat(headers.parseIp(frame, 0, frame.byteSize())).isTrue();
    Icrc calculator = new Icrc();
    headers.describeTo(calculator);

    int length = headers.payloadLength();
    MemorySegment packet = frame.asSlice(headers.payloadOffset(), length);
    assertThat(calculator.difference(packet, 0, length)).isZero();

    MemorySegment sealed = Arena.ofAuto().allocate(length);
    sealed.copyFrom(packet.asSlice(0, length - 4));
    calculator.seal(sealed, 0, length);
    assertThat(Hex.text(sealed, length - 4, 4)).isEqualTo(icrc);
  }

  @Test
  void aNewCalculatorIsForAFlowOfZeros() {
    MemorySegment packet = Hex.segment("1140ffff0000001200abcdef1f000001" + "00000000");
    Icrc named = new Icrc();
    named.addresses(Address.ofIpv4(0), Address.ofIpv4(0), 0, 0);
    int length = (int) packet.byteSize();
    assertThat(new Icrc().compute(packet, 0, length)).isEqualTo(named.compute(packet, 0, length));
  }

  @Test
  @Proves("S12.4.1")
  void fieldsThatChangeOnTheWayDoNotCount() {
    MemorySegment frame =
        Hex.segment(
            "4500003400004000401126b70a0000010a000002c00012b700200000"
                + "04f0ffff0000001180abcdef68656c6c6f00000059879d1b");
    // TOS, TTL, header checksum, UDP checksum, FECN/BECN/reserved.
    for (int masked : new int[] {1, 8, 10, 11, 26, 27, 32}) {
      MemorySegment changed = Hex.segment(frame.toArray(ValueLayout.JAVA_BYTE));
      changed.set(ValueLayout.JAVA_BYTE, masked, (byte) 0x5A);
      assertThat(matches(changed)).as("byte %d", masked).isTrue();
    }
    // ID, flags, addresses, ports, the rest of the packet.
    for (int covered : new int[] {4, 5, 6, 12, 19, 20, 28, 29, 30, 31, 33, 36, 39, 40, 47}) {
      MemorySegment changed = Hex.segment(frame.toArray(ValueLayout.JAVA_BYTE));
      byte old = changed.get(ValueLayout.JAVA_BYTE, covered);
      changed.set(ValueLayout.JAVA_BYTE, covered, (byte) (old ^ 0x40));
      assertThat(matches(changed)).as("byte %d", covered).isFalse();
    }
  }

  @Test
  @Proves("S12.4.1")
  void fieldsOfIpv6ThatChangeOnTheWayDoNotCount() {
    MemorySegment packet = Hex.segment("04f0ffff0000001180abcdef68656c6c6f000000cd1459c2");
    MemorySegment frame = Arena.ofAuto().allocate(48 + packet.byteSize());
    int length = (int) packet.byteSize();
    IpUdpHeader.writeIpv6(frame, 0, linkLocal(1), linkLocal(2), 0xA5, 0x12345, 3, length);
    IpUdpHeader.writeUdp(frame, 40, 0xC000, RocePorts.UDP_PORT, length);
    MemorySegment.copy(packet, 0, frame, 48, length);
    assertThat(matches(frame)).isTrue();
    frame.set(ValueLayout.JAVA_BYTE, 39, (byte) 3);
    assertThat(matches(frame)).isFalse();
  }

  @Test
  void packetsOfAnyLengthAreSummedWhole() {
    Random random = new Random(0x1C2C);
    for (int length : new int[] {16, 20, 64, 300, 1044, 4112, 4216, 4280, 9000, 65_484}) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      MemorySegment packet = Hex.segment(bytes);
      Icrc icrc = new Icrc();
      icrc.addresses(Address.ofIpv4(0x7F000001), Address.ofIpv4(0x7F000002), 1, 2);
      int expected = independent(bytes, 0x7F000001, 0x7F000002, 1, 2, 0, 0x4000);
      assertThat(icrc.compute(packet, 0, length)).as("length %d", length).isEqualTo(expected);
    }
  }

  @Test
  void identificationAndDontFragmentTakePart() {
    byte[] bytes = new byte[32];
    Icrc icrc = new Icrc();
    icrc.identification(0xBEEF, false);
    icrc.addresses(Address.ofIpv4(1), Address.ofIpv4(2), 3, 4);
    assertThat(icrc.compute(Hex.segment(bytes), 0, 32))
        .isEqualTo(independent(bytes, 1, 2, 3, 4, 0xBEEF, 0));
    icrc.identification(1, true);
    assertThat(icrc.compute(Hex.segment(bytes), 0, 32))
        .isEqualTo(independent(bytes, 1, 2, 3, 4, 1, 0x4000));
  }

  @Test
  void aCalculatorChangesBetweenIpVersionsAndBack() {
    MemorySegment packet = Hex.segment(new byte[64]);
    Icrc icrc = new Icrc();
    icrc.addresses(Address.ofIpv4(1), Address.ofIpv4(2), 3, 4);
    int ipv4 = icrc.compute(packet, 0, 64);
    icrc.addresses(linkLocal(1), linkLocal(2), 3, 4);
    int ipv6 = icrc.compute(packet, 0, 64);
    assertThat(ipv6).isNotEqualTo(ipv4);
    icrc.addresses(Address.ofIpv4(1), Address.ofIpv4(2), 3, 4);
    assertThat(icrc.compute(packet, 0, 64)).isEqualTo(ipv4);
    icrc.addresses(linkLocal(1), linkLocal(2), 3, 4);
    assertThat(icrc.compute(packet, 0, 64)).isEqualTo(ipv6);
  }

  private static Address linkLocal(int host) {
    return new Address(0xfe80L << 48, host);
  }

  @Test
  void aFlowBetweenIpVersionsIsRefused() {
    Icrc icrc = new Icrc();
    assertThatThrownBy(() -> icrc.addresses(Address.ofIpv4(1), linkLocal(2), 3, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("IP versions");
  }

  private static boolean matches(MemorySegment frame) {
    IpUdpFrame headers = new IpUdpFrame();
    assertThat(headers.parseIp(frame, 0, frame.byteSize())).isTrue();
    Icrc icrc = new Icrc();
    headers.describeTo(icrc);
    return icrc.difference(frame, headers.payloadOffset(), headers.payloadLength()) == 0;
  }

  /** S12.4.1 written down once more, without sharing code with {@link Icrc}. */
  private static int independent(
      byte[] packet, int src, int dst, int srcPort, int dstPort, int id, int flags) {
    byte[] all = new byte[IPV4_BTH + packet.length - 4];
    Arrays.fill(all, 0, 8, (byte) -1);
    int[] ip = {
      0x45FF,
      28 + packet.length,
      id,
      flags,
      0xFF11,
      0xFFFF,
      src >>> 16,
      src,
      dst >>> 16,
      dst,
      srcPort,
      dstPort,
      8 + packet.length,
      0xFFFF
    };
    for (int i = 0; i < ip.length; i++) {
      all[8 + 2 * i] = (byte) (ip[i] >>> 8);
      all[9 + 2 * i] = (byte) ip[i];
    }
    System.arraycopy(packet, 0, all, IPV4_BTH, packet.length - 4);
    all[IPV4_BTH + 4] = -1;
    CRC32 crc = new CRC32();
    crc.update(all);
    return (int) crc.getValue();
  }
}
