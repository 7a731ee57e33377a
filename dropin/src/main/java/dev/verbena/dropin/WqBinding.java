package dev.verbena.dropin;

import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.WorkQueue;
import org.jspecify.annotations.Nullable;

/** A work queue and the program's struct ibv_wq. */
final class WqBinding extends QueueBinding<WorkQueue> {
  /**
   * @param struct address of the struct ibv_wq
   */
  WqBinding(long struct) {
    super(struct, "a work queue");
  }

  static WqBinding get(long handle) {
    return Handles.get(handle, HandleKind.WQ);
  }

  @Override
  public void postRecv(@Nullable RecvWr list) {
    queue().postRecv(list);
  }
}
