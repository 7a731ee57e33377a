package dev.verbena.dropin.struct;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import java.util.Arrays;

/** Reads scatter/gather lists of the program into reused objects. */
public final class SgList {
  private static final Sge[] NONE = {};

  /**
   * Reads a list. A list that is too long for the queue is refused here and not by the device,
   * because the program need not have memory for so many elements: with such a count, the address
   * of the list may be anything.
   *
   * @param present an array of an earlier list
   * @param in address of the first struct ibv_sge
   * @param most maximum number of elements of a request of this queue
   * @param inline whether the elements are bare addresses, without keys
   * @return {@code present}, or a longer array
   * @throws VerbsException EINVAL for a negative count or one above {@code most}
   */
  public static Sge[] read(Sge[] present, long in, int count, int most, boolean inline) {
    if (count < 0 || count > most) {
      throw new VerbsException(
          "sgList", Errno.EINVAL, count + " SGEs, and the queue was created for " + most);
    }
    if (in == 0) {
      // The request is refused because it has more elements than its list.
      return NONE;
    }
    Sge[] list = grown(present, count);
    for (int i = 0; i < count; i++) {
      long element = in + i * IbvSge.LAYOUT.size();
      long addr = Host.getLong(element + IbvSge.ADDR);
      long length = Integer.toUnsignedLong(Host.getInt(element + IbvSge.LENGTH));
      if (inline && Host.canHold(addr, length)) {
        list[i].segment(Host.memory(), addr, length);
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
