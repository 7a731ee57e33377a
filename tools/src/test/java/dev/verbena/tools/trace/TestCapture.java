package dev.verbena.tools.trace;

import dev.verbena.wire.Address;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Icrc;
import dev.verbena.wire.IpUdpHeader;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Reth;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.RocePorts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A pcap file made by hand. Packets are a millisecond apart. */
final class TestCapture {
  static final Address LEFT = Address.ofIpv4(0x0A000001);
  static final Address RIGHT = Address.ofIpv4(0x0A000002);
  static final int LEFT_QP = 0x11;
  static final int RIGHT_QP = 0x12;

  private static final int NANOS = 0xA1B23C4D;

  private final ByteOrder order;
  private final byte[] before;
  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private int packets;
  private boolean damaged;
  private @Nullable ByteArrayOutputStream together;

  private TestCapture(ByteOrder order, int linkType, String before) {
    this.order = order;
    this.before = HexFormat.of().parseHex(before);
    ByteBuffer header = ByteBuffer.allocate(24).order(order);
    header.putInt(NANOS).putShort((short) 2).putShort((short) 4);
    header.putInt(16, 65_535).putInt(20, linkType);
    file.writeBytes(header.array());
  }

  /** Packets that start with their IP header. */
  static TestCapture raw() {
    return new TestCapture(ByteOrder.LITTLE_ENDIAN, 101, "");
  }

  /** Packets behind a header in hexadecimal, in a file of the other byte order. */
  static TestCapture bigEndian(int linkType, String before) {
    return new TestCapture(ByteOrder.BIG_ENDIAN, linkType, before);
  }

  /** The next packet gets another PSN on its way, without another ICRC. */
  TestCapture damaged() {
    damaged = true;
    return this;
  }

  /** A request from left to right. */
  TestCapture request(int opcode, int psn, int bytes) {
    return packet(LEFT, RIGHT, RIGHT_QP, opcode, psn, 0, bytes, bytes);
  }

  /** A READ from left to right. */
  TestCapture read(int psn, long bytes) {
    return packet(LEFT, RIGHT, RIGHT_QP, Opcode.RC_READ_REQUEST, psn, 0, 0, bytes);
  }

  /** An answer from right to left. */
  TestCapture answer(int opcode, int psn, int syndrome, int bytes) {
    return packet(RIGHT, LEFT, LEFT_QP, opcode, psn, syndrome, bytes, bytes);
  }

  /**
   * The packets that follow are in one datagram, as a sender's kernel has them before it cuts it.
   */
  TestCapture together(Consumer<TestCapture> some) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    together = joined;
    some.accept(this);
    together = null;
    add(LEFT, RIGHT, joined.toByteArray());
    return this;
  }

  /** Any packet of RC. */
  TestCapture packet(
      Address src,
      Address dst,
      int qpn,
      int opcode,
      int psn,
      int syndrome,
      int bytes,
      long messageLength) {
    Opcode.Row row = Opcode.row(opcode);
    int length = row.headerLength + bytes + Bth.padFor(bytes) + RocePacket.ICRC_LENGTH;
    MemorySegment packet = Arena.ofAuto().allocate(length);
    Bth.write(packet, 0, opcode, 0, Bth.padFor(bytes), 0xFFFF, qpn, psn);
    if (row.has(Reth.BIT)) {
      Reth.write(packet, row.offset(Reth.BIT), 0x1000, 7, messageLength);
    }
    if (row.has(Aeth.BIT)) {
      Aeth.write(packet, row.offset(Aeth.BIT), syndrome, 1);
    }
    Icrc icrc = new Icrc();
    icrc.addresses(src, dst, RocePorts.UDP_PORT, RocePorts.UDP_PORT);
    icrc.seal(packet, 0, length);
    if (damaged) {
      Bth.write(packet, 0, opcode, 0, Bth.padFor(bytes), 0xFFFF, qpn, psn ^ 0x8000);
      damaged = false;
    }
    if (together != null) {
      together.writeBytes(packet.toArray(ValueLayout.JAVA_BYTE));
    } else {
      add(src, dst, packet.toArray(ValueLayout.JAVA_BYTE));
    }
    return this;
  }

  private void add(Address src, Address dst, byte[] packet) {
    int headersLength = IpUdpHeader.length(true);
    MemorySegment headers = Arena.ofAuto().allocate(headersLength);
    IpUdpHeader.writeIpv4(headers, 0, src.ipv4(), dst.ipv4(), 0, 64, 0, packet.length);
    IpUdpHeader.writeUdp(
        headers, IpUdpHeader.IPV4_LENGTH, RocePorts.UDP_PORT, RocePorts.UDP_PORT, packet.length);
    int length = before.length + headersLength + packet.length;
    ByteBuffer record = ByteBuffer.allocate(16).order(order);
    record.putInt(1_700_000_000).putInt(packets * 1_000_000).putInt(length).putInt(length);
    packets++;
    file.writeBytes(record.array());
    file.writeBytes(before);
    file.writeBytes(headers.toArray(ValueLayout.JAVA_BYTE));
    file.writeBytes(packet);
  }

  byte[] bytes() {
    return file.toByteArray();
  }

  Path write(Path folder) throws IOException {
    return Files.write(folder.resolve("test.pcap"), bytes());
  }
}
