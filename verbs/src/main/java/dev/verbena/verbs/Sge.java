package dev.verbena.verbs;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A scatter/gather element (struct ibv_sge): one piece of local memory. Reusable: posting copies
 * the values.
 *
 * <p>It holds either an address inside a memory region with that region's lkey, or, for {@link
 * SendFlags#INLINE} only, a memory segment that needs no registration, because Java cannot read
 * from a bare address. Posting an element with a segment without INLINE, or as a receive, is
 * EINVAL. The key of such an element is ignored, so {@link #lkey(int)} keeps the segment; {@link
 * #addr(long)} and {@link #set} discard it.
 */
public final class Sge {
  private long addr;
  private long length;
  private int lkey;
  private @Nullable MemorySegment segment;
  private long segmentOffset;

  /** An element of no bytes. */
  public Sge() {}

  /**
   * An element of registered memory. Note the order, which is that of the C struct: the address
   * comes first, whereas {@link QueuePairEx#wrSetSge} takes the key first, like ibv_wr_set_sge.
   * {@link MemoryRegion#sge()} and {@link MemoryRegion#sgeAt} avoid mistakes in the order.
   *
   * @param addr address, or offset for a ZERO_BASED region
   * @param length bytes, 0 to 2³²−1
   * @param lkey local key of the region
   */
  public Sge(long addr, long length, int lkey) {
    set(addr, length, lkey);
  }

  /** An element for inline data that need not be registered; heap segments are allowed. */
  public static Sge of(MemorySegment segment) {
    return new Sge().segment(segment);
  }

  /** Sets address, length and key at once, and discards a segment. */
  public Sge set(long addr, long length, int lkey) {
    this.addr = addr;
    this.lkey = lkey;
    this.segment = null;
    return length(length);
  }

  /**
   * Points this element at unregistered memory for inline data, and discards the key. A length set
   * later counts from the start of the segment.
   */
  public Sge segment(MemorySegment inlineData) {
    return segment(inlineData, 0, inlineData.byteSize());
  }

  /**
   * Points this element at a part of unregistered memory for inline data, and discards the key.
   * Unlike slicing, this allocates nothing.
   *
   * @param offset where the part starts in the segment
   * @param length bytes of the part, 0 to 2³²−1
   * @throws VerbsException EINVAL unless the part lies in the segment
   */
  public Sge segment(MemorySegment inlineData, long offset, long length) {
    if (offset < 0 || length < 0 || offset > inlineData.byteSize() - length) {
      throw new VerbsException(
          "sge",
          Errno.EINVAL,
          length
              + " bytes at offset "
              + offset
              + " are not inside a segment of "
              + inlineData.byteSize()
              + " bytes");
    }
    length(length);
    segment = inlineData;
    segmentOffset = offset;
    addr = inlineData.address() + offset;
    lkey = 0;
    return this;
  }

  /** The unregistered memory for inline data, or null. */
  public @Nullable MemorySegment segment() {
    return segment;
  }

  /** Offset of the data in the {@link #segment()}; unused if there is none. */
  public long segmentOffset() {
    return segmentOffset;
  }

  /** The address, or the offset for a ZERO_BASED region. */
  public long addr() {
    return addr;
  }

  /** Sets the address, or the offset for a ZERO_BASED region, and discards a segment. */
  public Sge addr(long addr) {
    this.addr = addr;
    this.segment = null;
    return this;
  }

  /** Bytes. */
  public long length() {
    return length;
  }

  /**
   * Sets the number of bytes, a 32-bit unsigned value in C.
   *
   * @throws VerbsException EINVAL unless 0 ≤ length &lt; 2³²
   */
  public Sge length(long length) {
    if (length >>> 32 != 0) {
      throw new VerbsException("sge", Errno.EINVAL, "length " + length + " is not in 0 to 2^32-1");
    }
    this.length = length;
    return this;
  }

  /** Local key of the region. */
  public int lkey() {
    return lkey;
  }

  /** Sets the local key of the region. */
  public Sge lkey(int lkey) {
    this.lkey = lkey;
    return this;
  }

  @Override
  public String toString() {
    FieldText text = new FieldText("sge");
    if (segment != null) {
      // Its address is 0 if it lies on the heap, and its key is ignored.
      return text.word("inline segment of " + segment.byteSize() + " bytes")
          .number("offset", segmentOffset)
          .add("length", length)
          .toString();
    }
    return text.add("addr", "0x" + Long.toHexString(addr))
        .add("length", length)
        .add("lkey", "0x" + Integer.toHexString(lkey))
        .toString();
  }
}
