package dev.verbena.soft.sim.frames;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Data, mostly in TCP or UDP over IP, from which all bytes follow. The checksums are of its own,
 * not the device's.
 *
 * @param port destination
 * @param id identification of IPv4
 * @param sequence sequence number of TCP
 * @param flags of TCP
 * @param sealed whether it has the right checksums, rather than none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a whole
public record Packet(
    Network network,
    Upper upper,
    int port,
    int id,
    int sequence,
    int flags,
    byte[] data,
    boolean sealed) {
  private static final int FIN = 0x01;
  private static final int PSH = 0x08;
  private static final int CWR = 0x80;
  private static final int IPV4_CHECKSUM = 10;
  private static final int ALL_ONES = 0xffff;

  /**
   * A packet.
   *
   * @param any from which identification, sequence number and flags follow
   */
  public static Packet of(
      Network network, Upper upper, int port, int any, byte[] data, boolean sealed) {
    return new Packet(network, upper, port, any & 0xffff, any << 2, any & 0xff, data, sealed);
  }

  /** The same with checksums. */
  public Packet seal() {
    return new Packet(network, upper, port, id, sequence, flags, data, /* sealed= */ true);
  }

  /** Bytes in front of the data. */
  public int headerLength() {
    return network == Network.NONE ? 0 : network.headerLength() + upper.headerLength();
  }

  /** The headers of a packet without data and checksums, for TSO to fill in. */
  public byte[] template() {
    return headers(0);
  }

  /** All bytes. */
  public byte[] bytes() {
    byte[] bytes = Arrays.copyOf(headers(data.length), headerLength() + data.length);
    System.arraycopy(data, 0, bytes, headerLength(), data.length);
    if (sealed && network != Network.NONE) {
      int at = network.headerLength() + upper.checksumAt();
      put(bytes, at, carried(~upperSum(bytes)));
      if (network == Network.IPV4) {
        put(bytes, IPV4_CHECKSUM, ~sum(0, bytes, 0, network.headerLength()));
      }
    }
    return bytes;
  }

  /** Whether it is IPv4 and both checksums are there and right. */
  public boolean hasRightChecksums() {
    if (network != Network.IPV4) {
      return false;
    }
    byte[] bytes = bytes();
    int at = network.headerLength() + upper.checksumAt();
    boolean has = upper == Upper.TCP || bytes[at] != 0 || bytes[at + 1] != 0;
    return has
        && upperSum(bytes) == ALL_ONES
        && sum(0, bytes, 0, network.headerLength()) == ALL_ONES;
  }

  /**
   * The segments of its data, each with headers of its own (S9.6).
   *
   * @param mss the most bytes of data in one
   */
  public List<Packet> segments(int mss) {
    List<Packet> all = new ArrayList<>();
    int count = Math.max(1, (data.length + mss - 1) / mss);
    for (int i = 0; i < count; i++) {
      int kept = flags;
      if (i > 0) {
        kept &= ~CWR;
      }
      if (i < count - 1) {
        kept &= ~(FIN | PSH);
      }
      byte[] part = Arrays.copyOfRange(data, i * mss, Math.min(data.length, (i + 1) * mss));
      all.add(new Packet(network, upper, port, id + i, sequence + i * mss, kept, part, true));
    }
    return all;
  }

  private byte[] headers(int length) {
    ByteBuffer bytes = ByteBuffer.allocate(headerLength());
    if (network == Network.NONE) {
      return bytes.array();
    }
    int upperLength = upper.headerLength() + length;
    if (network == Network.IPV4) {
      bytes.put((byte) 0x45).put((byte) 0).putShort((short) (network.headerLength() + upperLength));
      bytes.putShort((short) id).putShort((short) 0x4000);
      bytes.put((byte) 64).put((byte) upper.number()).putShort((short) 0);
      bytes.putInt(0x0a00_0001).putInt(0x0a00_0002);
    } else {
      bytes.putInt(0x6000_0000).putShort((short) upperLength);
      bytes.put((byte) upper.number()).put((byte) 64);
      bytes.putLong(0xfd00L << 48).putLong(1).putLong(0xfd00L << 48).putLong(2);
    }
    bytes.putShort((short) 1000).putShort((short) port);
    if (upper == Upper.TCP) {
      bytes.putInt(sequence).putInt(0x0102_0304).put((byte) 0x50).put((byte) flags);
      bytes.putShort((short) 0x7fff).putInt(0);
    } else {
      bytes.putShort((short) upperLength).putShort((short) 0);
    }
    return bytes.array();
  }

  /** The sum of pseudo header, header and data. */
  private int upperSum(byte[] bytes) {
    int ip = network.headerLength();
    boolean four = network == Network.IPV4;
    int sum = sum(0, bytes, four ? 12 : 8, four ? 20 : 40);
    sum = fold(sum + upper.number() + bytes.length - ip);
    return sum(sum, bytes, ip, bytes.length);
  }

  private static int sum(int before, byte[] bytes, int from, int to) {
    int sum = before;
    for (int i = from; i < to; i += 2) {
      int low = i + 1 < to ? bytes[i + 1] & 0xff : 0;
      sum = fold(sum + ((bytes[i] & 0xff) << 8 | low));
    }
    return sum;
  }

  private static int fold(int sum) {
    return (sum & ALL_ONES) + (sum >>> 16);
  }

  /** In UDP, 0 would mean that there is none. */
  private int carried(int checksum) {
    boolean none = upper == Upper.UDP && (checksum & ALL_ONES) == 0;
    return none ? ALL_ONES : checksum;
  }

  private static void put(byte[] bytes, int at, int word) {
    bytes[at] = (byte) (word >> 8);
    bytes[at + 1] = (byte) word;
  }
}
