package dev.verbena.dropin;

import dev.verbena.rdmacore.layout.IbvRecvWr;
import dev.verbena.verbs.RecvWr;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads lists of receives, as {@link SendList} reads sends. */
final class RecvList {
  private static final int MOST = 256;

  private final List<RecvWr> requests = new ArrayList<>();
  private long rest;

  /** Reads a list, or its beginning. */
  @Nullable RecvWr read(long first) {
    int count = 0;
    long in = first;
    for (; in != 0 && count < MOST; in = Host.getLong(in + IbvRecvWr.NEXT)) {
      if (count == requests.size()) {
        requests.add(new RecvWr());
      }
      RecvWr wr = requests.get(count);
      int elements = Host.getInt(in + IbvRecvWr.NUM_SGE);
      wr.wrId(Host.getLong(in + IbvRecvWr.WR_ID)).next(null);
      wr.sgList(SgList.read(wr.sgList(), Host.getLong(in + IbvRecvWr.SG_LIST), elements, false));
      wr.numSge(elements);
      if (count > 0) {
        requests.get(count - 1).next(wr);
      }
      count++;
    }
    rest = in;
    return count == 0 ? null : requests.getFirst();
  }

  /** Address of the first struct that was not read yet, or 0. */
  long rest() {
    return rest;
  }

  /** Address of the struct that a request of the list last read came from. */
  long address(long first, @Nullable RecvWr wanted) {
    long in = first;
    for (RecvWr wr : requests) {
      if (wr == wanted) {
        return in;
      }
      in = Host.getLong(in + IbvRecvWr.NEXT);
    }
    return first;
  }
}
