package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvRecvWr;
import dev.verbena.verbs.RecvWr;
import org.jspecify.annotations.Nullable;

/** Posts receives. */
public final class RecvSide extends PostSide<RecvWr> {
  public RecvSide(Target target) {
    super(target, IbvRecvWr.LAYOUT.size(), IbvRecvWr.NEXT);
  }

  @Override
  @Nullable RecvWr after(RecvWr request) {
    return request.next();
  }

  @Override
  @Nullable String write(RecvWr wr, long out) {
    String refusal = refuseElements(wr.sgList(), wr.numSge());
    if (refusal != null) {
      return refusal;
    }
    Host.setLong(out + IbvRecvWr.WR_ID, wr.wrId());
    Host.setLong(out + IbvRecvWr.SG_LIST, elements(out));
    Host.setInt(out + IbvRecvWr.NUM_SGE, wr.numSge());
    return writeElements(wr.sgList(), wr.numSge(), out);
  }
}
