package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvRecvWr;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import org.jspecify.annotations.Nullable;

/** Posts receives. */
public final class RecvSide extends PostSide<RecvWr> {
  private final @Nullable String refusal;

  public RecvSide(Target target) {
    this(target, null);
  }

  /**
   * @param refusal why nothing can be posted, or null
   */
  public RecvSide(Target target, @Nullable String refusal) {
    super(target, IbvRecvWr.LAYOUT.size(), IbvRecvWr.NEXT, /* readsElements= */ false);
    this.refusal = refusal;
  }

  @Override
  @Nullable RecvWr after(RecvWr request) {
    return request.next();
  }

  @Override
  @Nullable String write(RecvWr wr, long out) {
    // Read once: another thread may change them.
    Sge[] list = wr.sgList();
    int count = wr.numSge();
    String why = refusal == null ? refuseElements(list, count) : refusal;
    if (why != null) {
      return why;
    }
    Host.setLong(out + IbvRecvWr.WR_ID, wr.wrId());
    Host.setLong(out + IbvRecvWr.SG_LIST, elements(out));
    Host.setInt(out + IbvRecvWr.NUM_SGE, count);
    return writeElements(list, count, out);
  }
}
