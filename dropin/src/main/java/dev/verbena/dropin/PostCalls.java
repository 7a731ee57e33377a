package dev.verbena.dropin;

import dev.verbena.dropin.object.QpBinding;
import dev.verbena.dropin.object.SrqBinding;
import dev.verbena.dropin.object.WqBinding;

/** The calls that post lists. They return 0 or an errno, and report where the list stopped. */
final class PostCalls {
  private static final ThreadLocal<SendList> SENDS = ThreadLocal.withInitial(SendList::new);
  private static final ThreadLocal<RecvList> RECVS = ThreadLocal.withInitial(RecvList::new);

  static long postSend(long handle, long first, long bad) {
    return SENDS.get().post(QpBinding.get(handle), first, bad);
  }

  static long postRecv(long handle, long first, long bad) {
    return RECVS.get().post(QpBinding.get(handle), first, bad);
  }

  static long postSrqRecv(long handle, long first, long bad) {
    return RECVS.get().post(SrqBinding.get(handle), first, bad);
  }

  static long postWqRecv(long handle, long first, long bad) {
    return RECVS.get().post(WqBinding.get(handle), first, bad);
  }

  private PostCalls() {}
}
