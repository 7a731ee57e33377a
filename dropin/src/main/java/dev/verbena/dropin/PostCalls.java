package dev.verbena.dropin;

import dev.verbena.verbs.WorkRequestException;

/** The calls that post lists. They answer 0 or an errno, and where the list stopped. */
final class PostCalls {
  private static final ThreadLocal<SendList> SENDS = ThreadLocal.withInitial(SendList::new);
  private static final ThreadLocal<RecvList> RECVS = ThreadLocal.withInitial(RecvList::new);

  static long postSend(long handle, long first, long bad) {
    QpBinding binding = QpBinding.get(handle);
    SendList list = SENDS.get();
    long next = first;
    try {
      do {
        binding.qp().postSend(list.read(next, binding.type()));
        next = list.rest();
      } while (next != 0);
      return 0;
    } catch (WorkRequestException e) {
      Host.setLong(bad, list.address(next, e.badSendWr()));
      return e.errno();
    }
  }

  static long postRecv(long handle, long first, long bad) {
    return post(QpBinding.get(handle), first, bad);
  }

  static long postSrqRecv(long handle, long first, long bad) {
    return post(SrqBinding.get(handle), first, bad);
  }

  static long postWqRecv(long handle, long first, long bad) {
    return post(WqBinding.get(handle), first, bad);
  }

  private static long post(ReceiveBinding binding, long first, long bad) {
    RecvList list = RECVS.get();
    long next = first;
    try {
      do {
        binding.postRecv(list.read(next));
        next = list.rest();
      } while (next != 0);
      return 0;
    } catch (WorkRequestException e) {
      Host.setLong(bad, list.address(next, e.badRecvWr()));
      return e.errno();
    }
  }

  private PostCalls() {}
}
