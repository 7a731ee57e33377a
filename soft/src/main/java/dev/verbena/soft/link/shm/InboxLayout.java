package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Link;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The layout of an inbox's memory, and who writes each part; but for the entries of its tables
 * ({@link ExportTable}), the rest of the code knows no offsets. Different threads write to
 * different cache lines.
 *
 * <pre>
 * inbox     0  magic number                       its owner, before anyone can find it
 *           8  address, two longs                 the same
 *          24  descriptor of its bell, or -1      the same
 *          32  inode of its bell, a long          the same
 *          64  sleep: whether the owner sleeps    the owner, and who wakes it
 *         128  rings to look into, a bit each     who takes a ring; never taken back
 *         192  closed: 1 at the end               its owner
 *       65536  exports: regions, then queue pairs   its owner, see {@link ExportTable}
 *      196608  the rings
 * ring      0  address of the sender, two longs   the sender, before its datagrams
 *          64  taken: cells ever taken            the owner of the inbox
 *         128  the cells, each 67 lines
 * cell      0  its number, from 1                 the sender, after all else
 *           8  length                             the sender, like the following
 *          12  traffic class, hop limit, flags
 *          16  flow label
 *          24  the datagram
 *        4248  multicast group, two longs, if it is for one
 * </pre>
 *
 * A datagram too long for a cell goes on in the next ones, at the same place; only the first one
 * has a number and a head.
 */
final class InboxLayout {
  /** "VERBSHM" and the number of this layout. */
  static final long MAGIC = 0x5645_5242_5348_4D04L;

  static final int RINGS = 64;

  /** The cells of a ring; a power of two. */
  static final int CELLS = 512;

  /** Bytes of a datagram that a cell holds: those of the largest packet that is not a long one. */
  static final int CELL_DATA = Link.MAX_DATAGRAM;

  /** The most bytes of payload in a long packet. */
  static final int LONG_PAYLOAD = 1 << 15;

  static final int MAX_DATAGRAM = LONG_PAYLOAD + Link.MAX_OVERHEAD;

  /** The largest page of Linux on the supported architectures. */
  private static final long PAGE = 1 << 16;

  private static final long LINE = 64;

  static final long MAGIC_AT = 0;
  static final long ADDRESS_AT = 8;
  static final long BELL_AT = 24;
  static final long BELL_INODE_AT = 32;
  static final long SLEEP_AT = LINE;
  static final long RINGS_AT = 2 * LINE;
  static final long CLOSED_AT = 3 * LINE;

  static final long REGIONS_AT = PAGE;
  static final long QUEUE_PAIRS_AT = REGIONS_AT + ExportTable.BYTES;

  /** Bytes before the rings. */
  static final long HEADER_BYTES = QUEUE_PAIRS_AT + ExportTable.BYTES;

  static final long SOURCE_AT = 0;
  static final long TAKEN_AT = LINE;
  private static final long CELLS_AT = 2 * LINE;

  static final long NUMBER_AT = 0;
  static final long LENGTH_AT = 8;
  static final long MARKS_AT = 12;
  static final long FLOW_LABEL_AT = 16;

  /** Offset of the datagram; so a WRITE of eight bytes and its cell's head fill one cache line. */
  static final long DATA_AT = 24;

  static final long GROUP_AT = DATA_AT + CELL_DATA;

  /** An odd number of cache lines, so that the first lines of all cells spread over a cache. */
  private static final long CELL_BYTES = 67 * LINE;

  static final long RING_BYTES = -(-(CELLS_AT + CELLS * CELL_BYTES) & -PAGE);

  /**
   * One more than the size, because a file of huge pages never has such a size. Huge pages may run
   * out, so that access to their mapping causes a bus error.
   */
  static final long INBOX_BYTES = HEADER_BYTES + RINGS * RING_BYTES + 1;

  /** In {@link #MARKS_AT}: the place of the hop limit, and the flags above the lowest two bytes. */
  static final int HOP_LIMIT_SHIFT = 8;

  static final int BYTE = 0xFF;

  /** The 20 bits of a flow label. */
  static final int FLOW_LABEL = 0xFFFFF;

  static final int FOR_GROUP = 1 << 16;
  static final int HAS_ICRC = 1 << 17;

  /** At {@link #SLEEP_AT}. */
  static final int AWAKE = 0;

  /** Until it is woken by futex. */
  static final int SLEEPS = 1;

  /** Until its bell is rung. */
  static final int LISTENS = 2;

  private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();
  private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();

  private InboxLayout() {}

  /** The offset of a ring in an inbox. */
  static long ring(int index) {
    return HEADER_BYTES + index * RING_BYTES;
  }

  /** The offset in its ring of the cell that is used as this one, counted from 0. */
  static long cell(long index) {
    return CELLS_AT + (index & (CELLS - 1)) * CELL_BYTES;
  }

  /** The number of cells that a datagram takes. */
  static int cells(int length) {
    return Math.max(1, Math.ceilDiv(length, CELL_DATA));
  }

  static long longAt(MemorySegment memory, long at) {
    return (long) LONGS.getAcquire(memory, at);
  }

  static void publish(MemorySegment memory, long at, long value) {
    LONGS.setRelease(memory, at, value);
  }

  static void addBit(MemorySegment memory, long at, int bit) {
    var _ = (long) LONGS.getAndBitwiseOr(memory, at, 1L << bit);
  }

  static int intAt(MemorySegment memory, long at) {
    return (int) INTS.getAcquire(memory, at);
  }

  static void publishInt(MemorySegment memory, long at, int value) {
    INTS.setVolatile(memory, at, value);
  }

  /** Replaces an int if it has the expected value; false if it has not. */
  static boolean replace(MemorySegment memory, long at, int from, int to) {
    return INTS.compareAndSet(memory, at, from, to);
  }
}
