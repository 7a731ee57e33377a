package dev.verbena.dropin;

import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WorkRequestException;

/** The calls that post lists. They answer 0 or an errno, and where the list stopped. */
final class PostCalls {
  private static final ThreadLocal<SendList> SENDS = ThreadLocal.withInitial(SendList::new);
  private static final ThreadLocal<RecvList> RECVS = ThreadLocal.withInitial(RecvList::new);

  static long postSend(long handle, long first, long bad) {
    QpBinding binding = QpBinding.get(handle);
    SendList list = SENDS.get();
    try {
      binding.qp().postSend(list.read(first, binding.type(), binding.maxSendWr() + 1));
      return 0;
    } catch (WorkRequestException e) {
      Host.setLong(bad, list.address(first, e.badSendWr()));
      return e.errno();
    }
  }

  static long postRecv(long handle, long first, long bad) {
    QpBinding binding = QpBinding.get(handle);
    RecvList list = RECVS.get();
    try {
      binding.qp().postRecv(list.read(first, binding.maxRecvWr() + 1));
      return 0;
    } catch (WorkRequestException e) {
      Host.setLong(bad, list.address(first, e.badRecvWr()));
      return e.errno();
    }
  }

  static long postSrqRecv(long handle, long first, long bad) {
    SharedReceiveQueue srq = SrqBinding.get(handle).srq();
    RecvList list = RECVS.get();
    try {
      srq.postRecv(list.read(first, Integer.MAX_VALUE));
      return 0;
    } catch (WorkRequestException e) {
      Host.setLong(bad, list.address(first, e.badRecvWr()));
      return e.errno();
    }
  }

  private PostCalls() {}
}
