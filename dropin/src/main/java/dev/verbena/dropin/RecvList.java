package dev.verbena.dropin;

import dev.verbena.dropin.object.ReceiveBinding;
import dev.verbena.dropin.struct.SgList;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvRecvWr;
import dev.verbena.verbs.RecvWr;
import org.jspecify.annotations.Nullable;

/** Reads and posts lists of struct ibv_recv_wr. */
final class RecvList extends WrList<RecvWr, ReceiveBinding> {
  RecvList() {
    super(IbvRecvWr.NEXT);
  }

  @Override
  RecvWr make() {
    return new RecvWr();
  }

  @Override
  void fill(RecvWr wr, long in, ReceiveBinding target) {
    int elements = Host.getInt(in + IbvRecvWr.NUM_SGE);
    long list = Host.getLong(in + IbvRecvWr.SG_LIST);
    wr.wrId(Host.getLong(in + IbvRecvWr.WR_ID))
        .sgList(SgList.read(wr.sgList(), list, elements, target.maxRecvSge(), false))
        .numSge(elements);
  }

  @Override
  void link(RecvWr wr, @Nullable RecvWr next) {
    wr.next(next);
  }

  @Override
  void post(ReceiveBinding target, @Nullable RecvWr first) {
    target.postRecv(first);
  }
}
