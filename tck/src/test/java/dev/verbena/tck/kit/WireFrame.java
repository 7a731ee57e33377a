package dev.verbena.tck.kit;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A RoCEv2 packet as a peer sees it, from BTH to ICRC. */
public final class WireFrame {
  public static final int SEND_FIRST = 0x00;
  public static final int SEND_MIDDLE = 0x01;
  public static final int SEND_LAST = 0x02;
  public static final int SEND_ONLY = 0x04;
  public static final int SEND_ONLY_IMM = 0x05;
  public static final int WRITE_FIRST = 0x06;
  public static final int WRITE_MIDDLE = 0x07;
  public static final int WRITE_LAST_IMM = 0x09;
  public static final int WRITE_ONLY = 0x0a;
  public static final int WRITE_ONLY_IMM = 0x0b;
  public static final int READ_REQUEST = 0x0c;
  public static final int READ_RESPONSE_FIRST = 0x0d;
  public static final int READ_RESPONSE_LAST = 0x0f;
  public static final int READ_RESPONSE_ONLY = 0x10;
  public static final int ACK = 0x11;
  public static final int ATOMIC_ACK = 0x12;
  public static final int FETCH_ADD = 0x14;
  public static final int CNP = 0x81;
  public static final int BUFFER = 0xc0;

  private static final int BTH = 12;
  private static final int ICRC = 4;
  private static final int PSN_MASK = 0xff_ffff;

  private final int opcode;
  private final boolean solicited;
  private final int destQp;
  private final boolean ackReq;
  private final int psn;
  private final byte[] rest;

  private WireFrame(
      int opcode, boolean solicited, int destQp, boolean ackReq, int psn, byte[] rest) {
    this.opcode = opcode;
    this.solicited = solicited;
    this.destQp = destQp;
    this.ackReq = ackReq;
    this.psn = psn;
    this.rest = rest;
  }

  /** A request that asks for an acknowledgement, its payload a multiple of 4 bytes. */
  public static WireFrame request(int opcode, int destQp, int psn, byte[] rest) {
    return new WireFrame(opcode, false, destQp, true, psn & PSN_MASK, rest);
  }

  /** A response with an AETH. */
  public static WireFrame response(int opcode, int destQp, int psn, int syndrome, byte... payload) {
    byte[] rest = new byte[4 + payload.length];
    rest[0] = (byte) syndrome;
    System.arraycopy(payload, 0, rest, 4, payload.length);
    return new WireFrame(opcode, false, destQp, false, psn & PSN_MASK, rest);
  }

  /** Reads a datagram. */
  public static WireFrame parse(ByteBuffer datagram) {
    byte[] bytes = new byte[datagram.remaining()];
    datagram.get(bytes);
    ByteBuffer bth = ByteBuffer.wrap(bytes);
    int pad = bytes[1] >> 4 & 3;
    return new WireFrame(
        Byte.toUnsignedInt(bytes[0]),
        (bytes[1] & 0x80) != 0,
        bth.getInt(4) & 0xff_ffff,
        (bytes[8] & 0x80) != 0,
        bth.getInt(8) & PSN_MASK,
        Arrays.copyOfRange(bytes, BTH, bytes.length - ICRC - pad));
  }

  /** The datagram; its ICRC is zero, so a receiver that checks it drops the packet. */
  public byte[] toBytes() {
    ByteBuffer out = ByteBuffer.allocate(BTH + rest.length + ICRC);
    out.put((byte) opcode).put((byte) (solicited ? 0xc0 : 0x40)).putShort((short) 0xffff);
    out.putInt(destQp);
    out.putInt((ackReq ? 0x8000_0000 : 0) | psn);
    out.put(rest);
    return out.array();
  }

  /** BTH opcode. */
  public int opcode() {
    return opcode;
  }

  /** The SE bit. */
  public boolean solicited() {
    return solicited;
  }

  /** Destination queue pair number. */
  public int destQp() {
    return destQp;
  }

  /** Packet sequence number. */
  public int psn() {
    return psn;
  }

  /** Extended headers and payload, without padding and ICRC. */
  public byte[] rest() {
    return rest.clone();
  }

  /** Four bytes of {@link #rest()} as a big-endian number. */
  public int word(int offset) {
    return ByteBuffer.wrap(rest).getInt(offset);
  }

  /** The syndrome of the AETH that a response starts with. */
  public int syndrome() {
    return Byte.toUnsignedInt(rest[0]);
  }

  @Override
  public String toString() {
    return "opcode 0x"
        + Integer.toHexString(opcode)
        + " to QP 0x"
        + Integer.toHexString(destQp)
        + ", PSN "
        + psn
        + ", "
        + rest.length
        + " bytes behind the BTH";
  }
}
