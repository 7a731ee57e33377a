package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.rdmacore.layout.StructLayout;
import dev.verbena.verbs.Errno;

/**
 * Posts a list of requests that a program has laid out. It is posted, or one of its requests is
 * refused with a reason, which is the same if that request is posted alone. No memory changes but
 * that of a region with the rights for it.
 */
abstract class ListFuzz {
  /** More than a {@code WrList} reads at once. */
  private static final int MANY = 300;

  private static final int FEW = 8;
  private static final long ELEMENT = IbvSge.LAYOUT.size();
  private static final long UNTOUCHED = 0x5a5a_5a5a_5a5a_5a5aL;

  private final StructLayout layout;
  private final long nextField;

  ListFuzz(StructLayout layout, long nextField) {
    this.layout = layout;
    this.nextField = nextField;
  }

  /** Empties the queue. */
  abstract void start();

  /** Lays out the fields of one request at this address, except for its successor. */
  abstract void fill(FuzzMemory memory, long wr);

  /** Posts; returns 0 or an errno. */
  abstract long post(long first, long bad);

  /** Does what lets the device access what the requests name, if posting has not. */
  void posted() {}

  final void run(FuzzMemory memory) {
    long bad = memory.zeros(Long.BYTES);
    long alone = memory.zeros(layout.size());
    int count = memory.oneIn(32) ? MANY : memory.below(FEW);
    long[] wrs = new long[count];
    for (int i = 0; i < count; i++) {
      wrs[i] = memory.zeros(layout.size());
    }
    for (int i = 0; i < count; i++) {
      // Those behind the first few are simple, so that the memory suffices.
      if (i < FEW) {
        fill(memory, wrs[i]);
      }
      // Sometimes the list is a ring.
      boolean back = i < FEW && memory.oneIn(16);
      long next = back ? wrs[memory.below(count)] : i + 1 < count ? wrs[i + 1] : 0;
      Host.setLong(wrs[i] + nextField, next);
    }
    long first = count == 0 ? 0 : wrs[0];
    long errno = check(first, bad);
    if (errno != 0 && errno != Errno.ENOMEM) {
      long refused = Host.getLong(bad);
      copy(refused, alone);
      Host.setLong(alone + nextField, 0);
      long again = check(alone, bad);
      if (again != errno) {
        throw new AssertionError("errno " + errno + " in the list, and " + again + " alone");
      }
    }
  }

  private long check(long first, long bad) {
    Host.setLong(bad, UNTOUCHED);
    byte[] before = FuzzMemory.copy();
    start();
    long errno = post(first, bad);
    posted();
    long refused = Host.getLong(bad);
    FuzzMemory.requireUnchanged(before, bad, Long.BYTES);
    FuzzQueues.REGIONS.requireUntouched();
    if (errno == 0) {
      if (refused != UNTOUCHED) {
        throw new AssertionError("bad_wr is set though nothing is refused");
      }
      return 0;
    }
    FuzzQueues.requireRefusal(errno);
    requireMember(first, refused);
    return errno;
  }

  private void requireMember(long first, long refused) {
    long each = first;
    for (int i = 0; i <= MANY && each != 0; i++) {
      if (each == refused) {
        return;
      }
      each = Host.getLong(each + nextField);
    }
    throw new AssertionError("bad_wr is none of the list's");
  }

  private void copy(long from, long to) {
    for (long i = 0; i < layout.size(); i++) {
      Host.setByte(to + i, Host.getByte(from + i));
    }
  }

  /**
   * Lays out elements, and returns the address of their list. Where the number says that none is
   * read, the address is any.
   *
   * @param inline whether each short element must have memory
   */
  static long elements(FuzzMemory memory, int count, boolean inline) {
    if (count < 0 || count > FuzzQueues.MOST_SGE) {
      return memory.wild();
    }
    if (memory.oneIn(16)) {
      return 0;
    }
    long list = memory.zeros(count * ELEMENT);
    for (int i = 0; i < count; i++) {
      int length = memory.oneIn(8) ? memory.nextInt() : memory.below(FuzzQueues.MOST_INLINE + 8);
      boolean isRead = inline && Integer.compareUnsigned(length, FuzzQueues.MOST_INLINE) <= 0;
      long present = isRead ? memory.bytes(length) : memory.wild();
      long address = memory.oneIn(16) ? 0 : present;
      int key = memory.nextInt();
      long element = list + i * ELEMENT;
      Host.setLong(
          element + IbvSge.ADDR, isRead ? address : FuzzQueues.REGIONS.address(key, address));
      Host.setInt(element + IbvSge.LENGTH, length);
      Host.setInt(element + IbvSge.LKEY, FuzzQueues.REGIONS.lkey(key));
    }
    return list;
  }
}
