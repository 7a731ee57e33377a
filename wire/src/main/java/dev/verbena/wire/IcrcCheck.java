package dev.verbena.wire;

import java.lang.foreign.MemorySegment;

/**
 * Checks an ICRC without knowing the IPv4 header's ID and don't-fragment flag, which a socket does
 * not show, although the ICRC covers them.
 *
 * <p>CRC is linear: if two inputs of equal length differ by d, their CRCs differ by the register
 * that results from d when it starts at zero and nothing is inverted. Let d be zero except for the
 * bytes of ID and flags. After those bytes the register is a vector of V, the span of what the 16
 * ID bits and the one DF bit leave there: 2^17 vectors of 2^32. The n bytes that follow are zero in
 * d, and each of them is the same invertible matrix A. So an intact packet's difference between the
 * ICRC it carries and the one computed with ID 0 and DF lies in A^n V, whatever the ID was: rewound
 * by the packet's length, in V.
 *
 * <p>A^n V has 17 dimensions and therefore is the set of vectors with even parity under each of 15
 * masks, a basis of its orthogonal complement. This class keeps these 15 masks for every packet
 * length. As x·A^n v = (A^n)ᵀx·v, the masks of one length are those of the next longer one times Aᵀ
 * to the fourth power: one product per mask and length fills the table.
 *
 * <p>A damaged packet has a difference as good as random, which lies in A^n V with probability 2^17
 * / 2^32 = 2^-15; exact checking would give 2^-32. Nor are all errors of one bit found: for most
 * lengths there is a bit whose flip lies in the span, of all bits one in ten thousand. Who knows
 * that a sender always has ID 0 should ask for {@link Icrc#difference} 0 (the software device does
 * of peers that it has seen do so). IPv6 headers have no ID and are checked exactly.
 */
public final class IcrcCheck {
  /** The longest packet from BTH to ICRC: the largest path MTU and more than all headers. */
  public static final int MAX_LENGTH = 4096 + 120;

  private static final int MASKS_PER_LENGTH = 15;

  /** CRC-32 polynomial, reflected. */
  private static final int POLYNOMIAL = 0xEDB88320;

  private static final int[] MASKS = masks();

  private IcrcCheck() {}

  /**
   * Whether a packet is intact according to its ICRC: exact for IPv6, with 2^-15 false accepts for
   * IPv4.
   *
   * @param icrc calculator with the packet's addresses, ID 0 and don't-fragment
   * @param segment memory that holds the packet
   * @param offset of its BTH
   * @param length bytes from BTH to ICRC, at least {@link RocePacket#MIN_LENGTH}
   */
  public static boolean accepts(Icrc icrc, MemorySegment segment, long offset, int length) {
    return isExplained(icrc, icrc.difference(segment, offset, length), length);
  }

  /** Whether a {@link Icrc#difference} may be that of an intact packet. */
  public static boolean isExplained(Icrc icrc, int difference, int length) {
    return difference == 0 || (icrc.isIpv4() && isExplainedById(difference, length));
  }

  /**
   * Whether some ID and don't-fragment flag explain a difference between two ICRCs.
   *
   * @param difference exclusive or of the ICRC carried and the one computed with ID 0 and DF
   * @param length bytes from BTH to ICRC
   * @return also false if the length is not a multiple of 4 or out of range, since no such packet
   *     exists
   */
  public static boolean isExplainedById(int difference, int length) {
    if (length < RocePacket.MIN_LENGTH || length > MAX_LENGTH || (length & 3) != 0) {
      return false;
    }
    int first = firstMask(length);
    for (int i = first; i < first + MASKS_PER_LENGTH; i++) {
      if ((Integer.bitCount(difference & MASKS[i]) & 1) != 0) {
        return false;
      }
    }
    return true;
  }

  private static int firstMask(int length) {
    return (length - RocePacket.MIN_LENGTH) / 4 * MASKS_PER_LENGTH;
  }

  private static int[] masks() {
    int[] masks = new int[firstMask(MAX_LENGTH) + MASKS_PER_LENGTH];
    int[] longest = orthogonal(spanBehind(MAX_LENGTH));
    System.arraycopy(longest, 0, masks, firstMask(MAX_LENGTH), MASKS_PER_LENGTH);
    int[] transposed = transposedWordStep();
    for (int i = firstMask(MAX_LENGTH) - 1; i >= 0; i--) {
      masks[i] = product(transposed, masks[i + MASKS_PER_LENGTH]);
    }
    return masks;
  }

  /** A basis of the differences that ID and DF can make in the ICRC of a packet this long. */
  private static int[] spanBehind(int length) {
    // From the byte after the flags to the ICRC: 13 bytes of IPv4 header, UDP header, packet.
    int bytesBehind = 13 + IpUdpHeader.UDP_LENGTH + length - RocePacket.ICRC_LENGTH;
    int[] basis = new int[17];
    for (int bit = 0; bit < basis.length; bit++) {
      // ID in bits 23..8 of these three bytes, the first in the top bits, DF in bit 6.
      int idAndFlags = bit < 16 ? 0x100 << bit : 0x40;
      int register = 0;
      for (int shift = 16; shift >= 0; shift -= 8) {
        register = zeroByte(register ^ (idAndFlags >> shift & 0xFF));
      }
      for (int i = 0; i < bytesBehind; i++) {
        register = zeroByte(register);
      }
      basis[bit] = register;
    }
    return basis;
  }

  /** The matrix A: the effect of one more zero byte on the register. */
  private static int zeroByte(int register) {
    int result = register;
    for (int bit = 0; bit < Byte.SIZE; bit++) {
      result = (result >>> 1) ^ (POLYNOMIAL & -(result & 1));
    }
    return result;
  }

  /** A to the fourth power, transposed; element i is the image of bit i. */
  private static int[] transposedWordStep() {
    int[] transposed = new int[Integer.SIZE];
    for (int column = 0; column < Integer.SIZE; column++) {
      int image = 1 << column;
      for (int i = 0; i < 4; i++) {
        image = zeroByte(image);
      }
      for (int row = 0; row < Integer.SIZE; row++) {
        transposed[row] |= (image >>> row & 1) << column;
      }
    }
    return transposed;
  }

  private static int product(int[] matrix, int vector) {
    int result = 0;
    for (int rest = vector; rest != 0; rest &= rest - 1) {
      result ^= matrix[Integer.numberOfTrailingZeros(rest)];
    }
    return result;
  }

  /** A basis of all masks under which every vector of the span has even parity. */
  private static int[] orthogonal(int[] span) {
    int[] rows = span.clone();
    int pivots = 0;
    int[] pivotBits = new int[rows.length];
    for (int row = 0; row < rows.length; row++) {
      if (rows[row] == 0) {
        throw new AssertionError("ID and DF bits are not independent");
      }
      int pivot = Integer.lowestOneBit(rows[row]);
      for (int other = 0; other < rows.length; other++) {
        if (other != row && (rows[other] & pivot) != 0) {
          rows[other] ^= rows[row];
        }
      }
      pivotBits[row] = pivot;
      pivots |= pivot;
    }
    int[] result = new int[MASKS_PER_LENGTH];
    int count = 0;
    for (int free = ~pivots; free != 0; free &= free - 1) {
      int mask = Integer.lowestOneBit(free);
      for (int row = 0; row < rows.length; row++) {
        if ((rows[row] & Integer.lowestOneBit(free)) != 0) {
          mask |= pivotBits[row];
        }
      }
      result[count++] = mask;
    }
    return result;
  }
}
