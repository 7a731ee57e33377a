package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvRecvWr;

/** Lists of struct ibv_recv_wr for any kind of queue, and messages for them; for bin/fuzz. */
public final class RecvListFuzz extends ListFuzz {
  private final FuzzReceiver receiver;

  private RecvListFuzz(FuzzReceiver receiver) {
    super(IbvRecvWr.LAYOUT, IbvRecvWr.NEXT);
    this.receiver = receiver;
  }

  /** See {@link ListFuzz}. */
  public static void fuzzerTestOneInput(byte[] data) {
    FuzzMemory memory = new FuzzMemory(data);
    int kind = memory.below(FuzzReceiver.ALL.size());
    new RecvListFuzz(FuzzReceiver.ALL.get(kind)).run(memory);
  }

  @Override
  void start() {
    receiver.start();
  }

  @Override
  long post(long first, long bad) {
    return receiver.post(first, bad);
  }

  @Override
  void posted() {
    receiver.deliver();
  }

  @Override
  void fill(FuzzMemory memory, long wr) {
    int elements = memory.count(FuzzQueues.MOST_SGE);
    Host.setLong(wr + IbvRecvWr.WR_ID, memory.nextLong());
    Host.setInt(wr + IbvRecvWr.NUM_SGE, elements);
    Host.setLong(wr + IbvRecvWr.SG_LIST, elements(memory, elements, false));
  }
}
