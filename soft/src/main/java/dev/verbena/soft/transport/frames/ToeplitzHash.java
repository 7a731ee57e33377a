package dev.verbena.soft.transport.frames;

import dev.verbena.verbs.RxHashFields;
import dev.verbena.wire.EthernetFrame;

/**
 * The Toeplitz hash of some fields of a frame, as in Microsoft's receive side scaling: addresses
 * before ports, source before destination, in network order. Immutable; allocates nothing.
 */
public final class ToeplitzHash {
  /** Bytes of a key: 32 bits more than two IPv6 addresses and two ports have. */
  public static final int KEY_BYTES = 40;

  /** The supported fields. */
  public static final long FIELDS =
      RxHashFields.SRC_IPV4
          | RxHashFields.DST_IPV4
          | RxHashFields.SRC_IPV6
          | RxHashFields.DST_IPV6
          | RxHashFields.SRC_PORT_TCP
          | RxHashFields.DST_PORT_TCP
          | RxHashFields.SRC_PORT_UDP
          | RxHashFields.DST_PORT_UDP;

  private static final int INPUT_BYTES = KEY_BYTES - Integer.BYTES;
  private static final int VALUES = 1 << Byte.SIZE;

  private final long fields;

  /** The contribution of each value of each input byte. */
  private final int[] shares = new int[INPUT_BYTES * VALUES];

  /**
   * A hash of these {@link RxHashFields}.
   *
   * @param key {@value #KEY_BYTES} bytes
   */
  public ToeplitzHash(byte[] key, long fields) {
    this.fields = fields;
    for (int at = 0; at < INPUT_BYTES; at++) {
      for (int value = 0; value < VALUES; value++) {
        shares[at * VALUES + value] = share(key, at, value);
      }
    }
  }

  /** A set input bit contributes the 32 bits of the key that begin at its place. */
  private static int share(byte[] key, int at, int value) {
    long bits = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      bits = bits << Byte.SIZE | (at + i < key.length ? key[at + i] & 0xFF : 0);
    }
    int sum = 0;
    for (int bit = 0; bit < Byte.SIZE; bit++) {
      if ((value & VALUES >> 1 >> bit) != 0) {
        sum ^= (int) (bits << bit >>> Integer.SIZE);
      }
    }
    return sum;
  }

  /** The hash of a frame; missing fields are left out. */
  public int of(EthernetFrame frame) {
    int at = 0;
    int sum = 0;
    if (frame.ipVersion() == 4) {
      if (has(RxHashFields.SRC_IPV4)) {
        sum ^= add(at, frame.ipv4Src(), Integer.BYTES);
        at += Integer.BYTES;
      }
      if (has(RxHashFields.DST_IPV4)) {
        sum ^= add(at, frame.ipv4Dst(), Integer.BYTES);
        at += Integer.BYTES;
      }
    } else if (frame.ipVersion() == 6) {
      if (has(RxHashFields.SRC_IPV6)) {
        sum ^= add(at, frame.ipv6SrcHi(), Long.BYTES);
        sum ^= add(at + Long.BYTES, frame.ipv6SrcLo(), Long.BYTES);
        at += 2 * Long.BYTES;
      }
      if (has(RxHashFields.DST_IPV6)) {
        sum ^= add(at, frame.ipv6DstHi(), Long.BYTES);
        sum ^= add(at + Long.BYTES, frame.ipv6DstLo(), Long.BYTES);
        at += 2 * Long.BYTES;
      }
    }
    return sum ^ ports(frame, at);
  }

  private int ports(EthernetFrame frame, int start) {
    int at = start;
    int sum = 0;
    boolean tcp = frame.upper() == EthernetFrame.TCP;
    if (frame.upper() != 0) {
      if (has(tcp ? RxHashFields.SRC_PORT_TCP : RxHashFields.SRC_PORT_UDP)) {
        sum ^= add(at, frame.srcPort(), Short.BYTES);
        at += Short.BYTES;
      }
      if (has(tcp ? RxHashFields.DST_PORT_TCP : RxHashFields.DST_PORT_UDP)) {
        sum ^= add(at, frame.dstPort(), Short.BYTES);
      }
    }
    return sum;
  }

  private boolean has(long field) {
    return (fields & field) != 0;
  }

  /** The contribution of a field of this number of bytes that starts at this input byte. */
  private int add(int at, long value, int bytes) {
    int sum = 0;
    for (int i = 0; i < bytes; i++) {
      int each = (int) (value >>> ((bytes - 1 - i) * Byte.SIZE)) & 0xFF;
      sum ^= shares[(at + i) * VALUES + each];
    }
    return sum;
  }
}
