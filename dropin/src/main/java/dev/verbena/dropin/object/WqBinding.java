package dev.verbena.dropin.object;

import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.WorkQueue;
import org.jspecify.annotations.Nullable;

/** A work queue and the program's struct ibv_wq. */
public final class WqBinding extends QueueBinding<WorkQueue> {
  /**
   * @param struct address of the struct ibv_wq
   */
  public WqBinding(long struct) {
    super(struct, "a work queue");
  }

  public static WqBinding get(long handle) {
    return Handles.get(handle, HandleKind.WQ);
  }

  @Override
  public void postRecv(@Nullable RecvWr list) {
    queue().postRecv(list);
  }
}
