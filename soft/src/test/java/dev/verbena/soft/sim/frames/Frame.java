package dev.verbena.soft.sim.frames;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * An Ethernet frame.
 *
 * @param dst destination, 48 bits
 * @param src source, 48 bits
 * @param vlan number of its VLAN, or 0 if it has no tag
 */
public record Frame(long dst, long src, int vlan, Packet packet) {
  private static final int ADDRESSES = 12;
  private static final int TYPE = 2;
  private static final int TAG = 4;
  private static final int TAGGED = 0x8100;
  private static final int LEAST = 60;
  private static final long GROUP = 1L << 40;

  /** Whether it is for several stations. */
  public boolean isForGroup() {
    return (dst & GROUP) != 0;
  }

  /** The same with right checksums. */
  public Frame seal() {
    return new Frame(dst, src, vlan, packet.seal());
  }

  /** The Ethernet header. */
  private byte[] ethernet() {
    ByteBuffer header = ByteBuffer.allocate(ADDRESSES + TYPE + (vlan == 0 ? 0 : TAG));
    header.putShort((short) (dst >>> 32)).putInt((int) dst);
    header.putShort((short) (src >>> 32)).putInt((int) src);
    if (vlan != 0) {
      header.putShort((short) TAGGED).putShort((short) vlan);
    }
    return header.putShort((short) packet.network().etherType()).array();
  }

  /** All bytes that its sender posts. */
  public byte[] bytes() {
    return join(ethernet(), packet.bytes());
  }

  /** The same as it arrives: not too short. */
  public byte[] wire() {
    byte[] bytes = bytes();
    return Arrays.copyOf(bytes, Math.max(LEAST, bytes.length));
  }

  /** Bytes in front of the data. */
  public int headerLength() {
    return ethernet().length + packet.headerLength();
  }

  /** The headers, for TSO to fill in. */
  public byte[] template() {
    return join(ethernet(), packet.template());
  }

  /** The frames that TSO makes of it. */
  public List<Frame> segments(int mss) {
    return packet.segments(mss).stream().map(part -> new Frame(dst, src, vlan, part)).toList();
  }

  /** Both, one behind the other. */
  public static byte[] join(byte[] one, byte[] other) {
    byte[] both = Arrays.copyOf(one, one.length + other.length);
    System.arraycopy(other, 0, both, one.length, other.length);
    return both;
  }
}
