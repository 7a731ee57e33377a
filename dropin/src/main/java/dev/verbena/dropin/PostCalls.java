package dev.verbena.dropin;

import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WorkQueue;
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
    QpBinding binding = QpBinding.get(handle);
    RecvList list = RECVS.get();
    long next = first;
    try {
      do {
        binding.qp().postRecv(list.read(next));
        next = list.rest();
      } while (next != 0);
      return 0;
    } catch (WorkRequestException e) {
      Host.setLong(bad, list.address(next, e.badRecvWr()));
      return e.errno();
    }
  }

  static long postSrqRecv(long handle, long first, long bad) {
    SharedReceiveQueue srq = SrqBinding.get(handle).srq();
    RecvList list = RECVS.get();
    long next = first;
    try {
      do {
        srq.postRecv(list.read(next));
        next = list.rest();
      } while (next != 0);
      return 0;
    } catch (WorkRequestException e) {
      Host.setLong(bad, list.address(next, e.badRecvWr()));
      return e.errno();
    }
  }

  static long postWqRecv(long handle, long first, long bad) {
    WorkQueue wq = WqBinding.get(handle).wq();
    RecvList list = RECVS.get();
    try {
      wq.postRecv(list.read(first));
      return 0;
    } catch (WorkRequestException e) {
      Host.setLong(bad, list.address(first, e.badRecvWr()));
      return e.errno();
    }
  }

  private PostCalls() {}
}
