package dev.verbena.dropin;

import dev.verbena.verbs.RecvWr;
import org.jspecify.annotations.Nullable;

/** What receives are posted to. */
interface ReceiveBinding {
  /**
   * Posts a list.
   *
   * @throws dev.verbena.verbs.WorkRequestException for the first that is refused
   */
  void postRecv(@Nullable RecvWr list);

  /** Most elements of one. */
  int maxRecvSge();
}
