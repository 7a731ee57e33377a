package dev.verbena.dropin;

import dev.verbena.dropin.object.QpBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvRecvWr;

/** Lists of struct ibv_recv_wr; for bin/fuzz. */
public final class RecvListFuzz extends ListFuzz {
  private final RecvList list = new RecvList();

  private RecvListFuzz() {
    super(IbvRecvWr.LAYOUT, IbvRecvWr.NEXT);
  }

  /** See {@link ListFuzz}. */
  public static void fuzzerTestOneInput(byte[] data) {
    new RecvListFuzz().run(new FuzzMemory(data));
  }

  @Override
  void start() {
    FuzzQueues.start(FuzzQueues.RC);
  }

  @Override
  long post(long first, long bad) {
    return list.post(QpBinding.get(FuzzQueues.RC), first, bad);
  }

  @Override
  void fill(FuzzMemory memory, long wr) {
    int elements = memory.count(FuzzQueues.MOST_SGE);
    Host.setLong(wr + IbvRecvWr.WR_ID, memory.nextLong());
    Host.setInt(wr + IbvRecvWr.NUM_SGE, elements);
    Host.setLong(wr + IbvRecvWr.SG_LIST, elements(memory, elements, false));
  }
}
