package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * The one's complement sum of 16-bit words that IP, TCP and UDP carry (RFC 1071), over bytes that
 * come in pieces of any length: a piece of odd length is continued by the next one. Reusable; not
 * thread-safe.
 */
public final class InternetChecksum {
  private static final int WORD = 0xFFFF;
  private static final long LOW_INT = 0xFFFF_FFFFL;

  private long sum;
  private boolean odd;

  /** A sum of nothing. */
  public InternetChecksum() {}

  /** Resets the sum to nothing. */
  public InternetChecksum reset() {
    sum = 0;
    odd = false;
    return this;
  }

  /** Adds the source and destination address, length and protocol of IPv4 (RFC 9293, 3.1). */
  public InternetChecksum addPseudoIpv4(int src, int dst, int protocol, int length) {
    sum += (src & LOW_INT) + (dst & LOW_INT) + (protocol & 0xFF) + (length & WORD);
    return this;
  }

  /**
   * Adds the addresses, length and next header of IPv6 (RFC 8200, 8.1).
   *
   * @param header where the IPv6 header is, which has the addresses
   */
  public InternetChecksum addPseudoIpv6(
      MemorySegment segment, long header, int protocol, int length) {
    addEven(segment, header + 8, 32);
    sum += (protocol & 0xFF) + (length & LOW_INT);
    fold();
    return this;
  }

  /** Adds bytes. */
  public InternetChecksum add(MemorySegment segment, long offset, long length) {
    long at = offset;
    long left = length;
    if (odd && left > 0) {
      sum += segment.get(Layouts.BYTE, at) & 0xFF;
      odd = false;
      at++;
      left--;
    }
    addEven(segment, at, left & ~1L);
    if ((left & 1) != 0) {
      sum += (segment.get(Layouts.BYTE, at + left - 1) & 0xFF) << 8;
      odd = true;
    }
    fold();
    return this;
  }

  private void addEven(MemorySegment segment, long offset, long length) {
    long at = offset;
    long end = offset + length;
    // Each step adds less than 2^33, so no length overflows before fold().
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      long word = segment.get(Layouts.LONG, at);
      sum += (word >>> 32) + (word & LOW_INT);
    }
    for (; at < end; at += Short.BYTES) {
      sum += segment.get(Layouts.SHORT, at) & WORD;
    }
  }

  private void fold() {
    sum = (sum & LOW_INT) + (sum >>> 32);
    sum = (sum & LOW_INT) + (sum >>> 32);
  }

  /** The value for the checksum field: the complement of the sum, 16 bits. */
  public int value() {
    long folded = sum;
    while (folded >>> 16 != 0) {
      folded = (folded & WORD) + (folded >>> 16);
    }
    return (int) ~folded & WORD;
  }

  /** Whether the added bytes, which include their checksum, are undamaged. */
  public boolean isValid() {
    return value() == 0;
  }
}
