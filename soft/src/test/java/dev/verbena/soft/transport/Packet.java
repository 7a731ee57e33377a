package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Aeth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.ParseResult;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/** A packet on the scripted wire, from BTH to padding, with four bytes in place of the ICRC. */
final class Packet {
  private final byte[] bytes;

  private Packet(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of the first {@code length} bytes, with room for an ICRC behind. */
  static Packet copy(MemorySegment buffer, int length) {
    byte[] copy = new byte[length + RocePacket.ICRC_LENGTH];
    MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, copy, 0, length);
    return new Packet(copy);
  }

  /** A datagram with its ICRC. */
  static Packet of(byte[] datagram) {
    return new Packet(datagram.clone());
  }

  /** The same with a change to its bytes. */
  Packet edited(Consumer<MemorySegment> change) {
    Packet copy = new Packet(bytes.clone());
    change.accept(copy.segment());
    return copy;
  }

  /** The same with another opcode. */
  Packet withOpcode(int opcode) {
    return edited(bytes -> bytes.set(ValueLayout.JAVA_BYTE, 0, (byte) opcode));
  }

  /** The same without its AETH, which is right behind BTH. */
  Packet withoutAeth() {
    byte[] copy = new byte[bytes.length - Aeth.LENGTH];
    System.arraycopy(bytes, 0, copy, 0, Bth.LENGTH);
    System.arraycopy(bytes, Bth.LENGTH + Aeth.LENGTH, copy, Bth.LENGTH, copy.length - Bth.LENGTH);
    return new Packet(copy);
  }

  /** The same with other contents of the first bytes behind BTH and extension headers. */
  Packet withLength(int payload) {
    int header = Opcode.row(opcode()).headerLength;
    int pad = Bth.padFor(payload);
    byte[] copy = new byte[header + payload + pad + RocePacket.ICRC_LENGTH];
    System.arraycopy(bytes, 0, copy, 0, Math.min(header + payload, bytes.length));
    copy[1] = (byte) ((copy[1] & ~0x30) | pad << 4);
    return new Packet(copy);
  }

  MemorySegment segment() {
    return MemorySegment.ofArray(bytes);
  }

  byte[] bytes() {
    return bytes.clone();
  }

  RocePacket view() {
    RocePacket view = new RocePacket();
    assertThat(view.parse(segment(), 0, bytes.length)).isEqualTo(ParseResult.OK);
    return view;
  }

  int opcode() {
    return bytes[0] & 0xff;
  }

  int psn() {
    return view().psn;
  }

  boolean is(int opcode) {
    return opcode() == opcode;
  }

  @Override
  public String toString() {
    return Opcode.name(opcode()) + "@" + Integer.toHexString(Bth.psn(segment(), 0));
  }
}
