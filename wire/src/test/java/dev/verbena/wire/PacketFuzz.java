package dev.verbena.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Any bytes as a packet, in memory of just their size; for bin/fuzz. */
public final class PacketFuzz {
  private static final Address HERE = Address.ofIpv4(0x7f000001);

  /** What is well-formed has all the headers of its opcode; nothing reads beyond the bytes. */
  public static void fuzzerTestOneInput(byte[] data) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment datagram = arena.allocate(Math.max(1, data.length)).asSlice(0, data.length);
      MemorySegment.copy(data, 0, datagram, ValueLayout.JAVA_BYTE, 0, data.length);
      RocePacket packet = new RocePacket();
      if (packet.parse(datagram, 0, data.length) == ParseResult.OK) {
        packet.mayBeLong();
        readHeaders(packet);
        checkPayload(packet, data.length);
        checkIcrc(datagram, data.length);
      }
    }
  }

  /** Calls every accessor that may be called; none fails. */
  private static void readHeaders(RocePacket packet) {
    Opcode.Row row = packet.row;
    if (packet.toString().isEmpty()) {
      throw new AssertionError("a packet without a description");
    }
    packet.padCount();
    packet.migReq();
    packet.icrc();
    if (row.has(Reth.BIT)) {
      packet.rethVa();
      packet.rethRkey();
      packet.rethLength();
    }
    if (row.has(AtomicEth.BIT)) {
      packet.atomicVa();
      packet.atomicRkey();
      packet.atomicSwapOrAdd();
      packet.atomicCompare();
    }
    if (row.has(Aeth.BIT)) {
      packet.aethSyndrome();
      packet.aethMsn();
    }
    if (row.has(AtomicAckEth.BIT)) {
      packet.atomicOriginal();
    }
    if (row.has(ImmDt.BIT)) {
      packet.immData();
    }
    if (row.has(Ieth.BIT)) {
      packet.invalidateRkey();
    }
    if (row.has(Deth.BIT)) {
      packet.dethQkey();
      packet.dethSrcQpn();
    }
    if (row.has(Xrceth.BIT)) {
      packet.xrcSrqn();
    }
    if (row.has(BufferSize.BIT)) {
      packet.bufferBytes();
    }
    if (row.has(Feth.BIT)) {
      packet.fethLevel();
      packet.fethType();
    }
  }

  private static void checkPayload(RocePacket packet, int length) {
    long end = packet.payloadOffset + packet.payloadLength + packet.padCount();
    boolean fills = end == length - RocePacket.ICRC_LENGTH || packet.row.transport == Transport.CNP;
    if (packet.payloadLength < 0 || !fills) {
      throw new AssertionError(packet + " in " + length + " bytes ends at " + end);
    }
  }

  /** A sealed packet is intact, and with another bit in its ICRC it is not. */
  private static void checkIcrc(MemorySegment datagram, int length) {
    Icrc icrc = new Icrc();
    icrc.addresses(HERE, HERE, RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    icrc.seal(datagram, 0, length);
    if (icrc.difference(datagram, 0, length) != 0) {
      throw new AssertionError("a sealed packet is not intact");
    }
    int carried = Icrc.read(datagram, length - RocePacket.ICRC_LENGTH);
    Icrc.write(datagram, length - RocePacket.ICRC_LENGTH, carried ^ 1);
    if (icrc.difference(datagram, 0, length) == 0) {
      throw new AssertionError("a wrong ICRC is taken for right");
    }
    IcrcCheck.accepts(icrc, datagram, 0, length);
    if (RxeFlushIcrc.appliesTo(datagram, 0)) {
      RxeFlushIcrc.accepts(icrc, datagram, 0, length);
    }
  }

  private PacketFuzz() {}
}
