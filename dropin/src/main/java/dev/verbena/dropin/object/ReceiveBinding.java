package dev.verbena.dropin.object;

import dev.verbena.verbs.RecvWr;
import org.jspecify.annotations.Nullable;

/** An object to which receives are posted. */
public interface ReceiveBinding {
  /**
   * Posts a list.
   *
   * @throws dev.verbena.verbs.WorkRequestException for the first receive that is refused
   */
  void postRecv(@Nullable RecvWr list);

  /** Maximum number of elements of a receive. */
  int maxRecvSge();
}
