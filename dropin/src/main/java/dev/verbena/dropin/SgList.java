package dev.verbena.dropin;

import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.verbs.Sge;
import java.util.Arrays;

/** Scatter/gather lists of the program, read into objects that are used again. */
final class SgList {
  /** More than any queue takes: a request with more elements is refused without a look at them. */
  private static final int MAX = 256;

  private static final Sge[] NONE = {};

  /**
   * Reads a list.
   *
   * @param present an array of an earlier list
   * @param in address of the first struct ibv_sge
   * @param inline whether the elements are bare addresses, without keys
   * @return {@code present}, or a longer array
   */
  static Sge[] read(Sge[] present, long in, int count, boolean inline) {
    if (count > MAX) {
      return present;
    }
    if (in == 0) {
      // The request is refused, for having more elements than its list.
      return NONE;
    }
    Sge[] list = grown(present, count);
    for (int i = 0; i < count; i++) {
      long element = in + i * IbvSge.LAYOUT.size();
      long addr = Host.getLong(element + IbvSge.ADDR);
      long length = Integer.toUnsignedLong(Host.getInt(element + IbvSge.LENGTH));
      if (inline && Host.canHold(addr, length)) {
        list[i].segment(HostNative.MEMORY, addr, length);
      } else {
        list[i].set(addr, length, Host.getInt(element + IbvSge.LKEY));
      }
    }
    return list;
  }

  private static Sge[] grown(Sge[] present, int count) {
    if (count <= present.length) {
      return present;
    }
    Sge[] list = Arrays.copyOf(present, count);
    for (int i = present.length; i < count; i++) {
      list[i] = new Sge();
    }
    return list;
  }

  private SgList() {}
}
