package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class RxeFlushIcrcTest {
  /** BTH, FETH, RETH and ICRC of a FLUSH from fd77::2 to fd77::1, sent by Linux 6.12. */
  private static final String FROM_LINUX =
      "1c00ffff00dfda51800b0f500000000100007f55980410009d2e7bef000013885ebc088f";

  private static final long PREFIX = 0xfd77_0000_0000_0000L;
  private static final int SOURCE_PORT = 0xd97c;

  private final Icrc icrc = new Icrc();
  private final MemorySegment packet = Arena.ofAuto().allocate(FROM_LINUX.length() / 2);

  private int length() {
    return (int) packet.byteSize();
  }

  private void flowOfLinux() {
    icrc.addresses(new Address(PREFIX, 2), new Address(PREFIX, 1), SOURCE_PORT, RocePorts.UDP_PORT);
    packet.copyFrom(MemorySegment.ofArray(HexFormat.of().parseHex(FROM_LINUX)));
  }

  @Test
  void aPacketOfLinuxHasThisIcrcAndNotTheUsualOne() {
    flowOfLinux();
    assertThat(Bth.opcode(packet, 0)).isEqualTo(Opcode.RC_FLUSH);
    assertThat(RxeFlushIcrc.accepts(icrc, packet, 0, length())).isTrue();
    assertThat(IcrcCheck.accepts(icrc, packet, 0, length())).isFalse();
  }

  @Test
  void sealingGivesTheIcrcOfLinux() {
    flowOfLinux();
    int wanted = Icrc.read(packet, length() - 4L);
    Icrc.write(packet, length() - 4L, 0);
    RxeFlushIcrc.seal(icrc, packet, 0, length());
    assertThat(Icrc.read(packet, length() - 4L)).isEqualTo(wanted);
  }

  @Test
  void everyByteCounts() {
    flowOfLinux();
    for (int at = 0; at < length(); at++) {
      byte old = packet.get(ValueLayout.JAVA_BYTE, at);
      packet.set(ValueLayout.JAVA_BYTE, at, (byte) ~old);
      assertThat(RxeFlushIcrc.accepts(icrc, packet, 0, length())).as("byte %d", at).isFalse();
      packet.set(ValueLayout.JAVA_BYTE, at, old);
    }
  }

  @Test
  void overIpv4AnyIdentificationIsAccepted() {
    flowOfLinux();
    Icrc sender = new Icrc();
    for (Icrc each : new Icrc[] {icrc, sender}) {
      each.addresses(Address.ofIpv4(1), Address.ofIpv4(2), 1, RocePorts.UDP_PORT);
    }
    for (int id = 0; id < 0x10000; id += 77) {
      sender.identification(id, (id & 1) == 0);
      RxeFlushIcrc.seal(sender, packet, 0, length());
      assertThat(RxeFlushIcrc.accepts(icrc, packet, 0, length())).as("ID %d", id).isTrue();
    }
    packet.set(ValueLayout.JAVA_BYTE, 20, (byte) ~packet.get(ValueLayout.JAVA_BYTE, 20));
    assertThat(RxeFlushIcrc.accepts(icrc, packet, 0, length())).isFalse();
  }

  @Test
  void itIsForFlushOnly() {
    List<String> rows = new ArrayList<>();
    for (int opcode = 0; opcode < 256; opcode++) {
      packet.set(ValueLayout.JAVA_BYTE, 0, (byte) opcode);
      if (RxeFlushIcrc.appliesTo(packet, 0)) {
        rows.add(Opcode.name(opcode));
      }
    }
    assertThat(rows).containsExactly("RC_FLUSH", "XRC_FLUSH");
  }
}
