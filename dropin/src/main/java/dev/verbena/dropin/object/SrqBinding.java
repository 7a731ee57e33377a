package dev.verbena.dropin.object;

import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SharedReceiveQueue;
import org.jspecify.annotations.Nullable;

/** A shared receive queue and the program's struct ibv_srq. */
public final class SrqBinding extends QueueBinding<SharedReceiveQueue> {
  /**
   * @param struct address of the struct ibv_srq
   */
  public SrqBinding(long struct) {
    super(struct, "a shared receive queue");
  }

  public static SrqBinding get(long handle) {
    return Handles.get(handle, HandleKind.SRQ);
  }

  /** The queue of a handle, or null if none is given. */
  public static @Nullable SharedReceiveQueue srqIfGiven(long handle) {
    SrqBinding binding = Handles.getIfGiven(handle, HandleKind.SRQ);
    return binding == null ? null : binding.queue();
  }

  @Override
  public void postRecv(@Nullable RecvWr list) {
    queue().postRecv(list);
  }
}
