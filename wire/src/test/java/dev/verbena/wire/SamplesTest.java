package dev.verbena.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.wire.Samples.Sample;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes on the wire agree with the Linux kernel: in both directions, down to the ICRC. */
class SamplesTest {
  private static final int MASKED_BTH_BYTE = 4;

  static Stream<Sample> samples() {
    return Samples.all();
  }

  @Test
  void samplesCoverEveryOperationThatTheKernelHas() {
    Set<Operation> operations =
        samples()
            .map(sample -> Opcode.row(Bth.opcode(sample.packet(), 0)).operation)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Operation.class)));
    assertThat(operations)
        .contains(
            Operation.SEND,
            Operation.WRITE,
            Operation.READ_REQUEST,
            Operation.READ_RESPONSE,
            Operation.ACKNOWLEDGE,
            Operation.ATOMIC_ACKNOWLEDGE);
  }

  @ParameterizedTest
  @MethodSource("samples")
  @Proves({"S12.1.2", "S12.1.3", "S12.4.1"})
  void everyFrameIsReproducedFromItsFields(Sample sample) {
    IpUdpFrame headers = sample.headers();
    MemorySegment packet = sample.packet();
    RocePacket view = new RocePacket();
    assertThat(view.parse(packet, 0, packet.byteSize())).isEqualTo(ParseResult.OK);
    assertThat(view.padCount()).isEqualTo(Bth.padFor(view.payloadLength));

    int headersLength = IpUdpHeader.length(headers.isIpv4());
    int length = headers.payloadLength();
    MemorySegment rebuilt = Arena.ofAuto().allocate(headersLength + length);
    writeIpUdp(rebuilt, headers);
    if (headers.udpChecksum() != 0) {
      // A plain socket sent it, so the kernel filled in the checksum that RoCE senders leave 0.
      assertThat(sample.name()).startsWith("rc-send-host");
      short checksum = (short) headers.udpChecksum();
      rebuilt.set(Layouts.SHORT, headersLength - 2L, checksum);
    }
    writePacket(rebuilt, headersLength, view, sample.exact());

    String original = Hex.text(sample.frame(), headers.ipOffset(), headersLength + length);
    assertThat(Hex.text(rebuilt, 0, rebuilt.byteSize())).isEqualTo(original);
  }

  @ParameterizedTest
  @MethodSource("samples")
  @Proves("S12.4.1")
  void everyIcrcIsAcceptedWithoutKnowingTheId(Sample sample) {
    MemorySegment packet = sample.packet();
    assertThat(IcrcCheck.accepts(sample.withoutId(), packet, 0, (int) packet.byteSize())).isTrue();
  }

  @Test
  void theIdsThatAreNotKnownAreManyAndNotZero() {
    Set<Integer> ids =
        samples()
            .filter(sample -> sample.headers().isIpv4())
            .map(sample -> sample.headers().identification())
            .collect(Collectors.toSet());
    assertThat(ids).hasSizeGreaterThan(100);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void everySingleFlippedBitButTwoIsFoundWithoutKnowingTheId(Sample sample) {
    boolean ipv4 = sample.headers().isIpv4();
    MemorySegment packet = sample.packet();
    int length = (int) packet.byteSize();
    Icrc icrc = sample.withoutId();
    for (int at = 0; at < length; at++) {
      byte original = packet.get(ValueLayout.JAVA_BYTE, at);
      for (int bit = 1; bit < 0x100; bit <<= 1) {
        packet.set(ValueLayout.JAVA_BYTE, at, (byte) (original ^ bit));
        assertThat(IcrcCheck.accepts(icrc, packet, 0, length))
            .as("byte %d of %d, bit 0x%02x", at, length, bit)
            .isEqualTo(at == MASKED_BTH_BYTE || (ipv4 && isBlindSpot(at, bit)));
      }
      packet.set(ValueLayout.JAVA_BYTE, at, original);
    }
  }

  /** The two single bits of a packet whose flip looks like another ID: see {@link IcrcCheck}. */
  private static boolean isBlindSpot(int at, int bit) {
    return (at == 173 && bit == 0x08) || (at == 1834 && bit == 0x40);
  }

  private static void writeIpUdp(MemorySegment to, IpUdpFrame headers) {
    int length = headers.payloadLength();
    if (headers.isIpv4()) {
      assertThat(headers.dontFragment()).isTrue();
      IpUdpHeader.writeIpv4(
          to,
          0,
          headers.src().ipv4(),
          headers.dst().ipv4(),
          headers.trafficClass(),
          headers.hopLimit(),
          headers.identification(),
          length);
    } else {
      IpUdpHeader.writeIpv6(
          to,
          0,
          headers.src(),
          headers.dst(),
          headers.trafficClass(),
          headers.flowLabel(),
          headers.hopLimit(),
          length);
    }
    long udp = IpUdpHeader.length(headers.isIpv4()) - (long) IpUdpHeader.UDP_LENGTH;
    IpUdpHeader.writeUdp(to, udp, headers.srcPort(), headers.dstPort(), length);
  }

  private static void writePacket(MemorySegment to, long at, RocePacket from, Icrc icrc) {
    int opcode = from.opcode();
    Bth.write(
        to,
        at,
        opcode,
        (from.solicited ? Bth.SOLICITED : 0)
            | (from.migReq() ? Bth.MIG_REQ : 0)
            | (from.ackRequest ? Bth.ACK_REQUEST : 0),
        Bth.padFor(from.payloadLength),
        from.pkey,
        from.destQpn,
        from.psn);
    if (Opcode.row(opcode).has(Reth.BIT)) {
      long reth = at + Opcode.row(opcode).offset(Reth.BIT);
      Reth.write(to, reth, from.rethVa(), from.rethRkey(), from.rethLength());
    }
    if (Opcode.row(opcode).has(Aeth.BIT)) {
      Aeth.write(to, at + Opcode.row(opcode).offset(Aeth.BIT), from.aethSyndrome(), from.aethMsn());
    }
    if (Opcode.row(opcode).has(AtomicEth.BIT)) {
      AtomicEth.write(
          to,
          at + Opcode.row(opcode).offset(AtomicEth.BIT),
          from.atomicVa(),
          from.atomicRkey(),
          from.atomicSwapOrAdd(),
          from.atomicCompare());
    }
    if (Opcode.row(opcode).has(AtomicAckEth.BIT)) {
      AtomicAckEth.write(
          to, at + Opcode.row(opcode).offset(AtomicAckEth.BIT), from.atomicOriginal());
    }
    if (Opcode.row(opcode).has(ImmDt.BIT)) {
      ImmDt.write(to, at + Opcode.row(opcode).offset(ImmDt.BIT), from.immData());
    }
    if (Opcode.row(opcode).has(Deth.BIT)) {
      Deth.write(to, at + Opcode.row(opcode).offset(Deth.BIT), from.dethQkey(), from.dethSrcQpn());
    }
    long payload = at + Opcode.row(opcode).headerLength;
    MemorySegment.copy(from.segment, from.payloadOffset, to, payload, from.payloadLength);
    icrc.seal(to, at, (int) from.length);
  }
}
