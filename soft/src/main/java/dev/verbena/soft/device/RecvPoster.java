package dev.verbena.soft.device;

import dev.verbena.soft.engine.QpRuntime;
import dev.verbena.soft.queue.RecvQueue;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import org.jspecify.annotations.Nullable;

/** postRecv of one queue pair (S3.1). Allocates nothing unless it fails. */
final class RecvPoster {
  private static final String FUNCTION = "postRecv";

  private final QpRuntime runtime;
  private final RecvQueue queue;
  private final PostSection section;
  private final QpCap cap;

  RecvPoster(QpRuntime runtime, PostSection section, QpCap cap) {
    this.runtime = runtime;
    this.queue = runtime.receives();
    this.section = section;
    this.cap = cap;
  }

  /** Posts a list, up to the first receive that is refused (S3.1.4). */
  void post(@Nullable RecvWr list) {
    // Between wrStart and wrComplete this thread is inside already.
    boolean enters = !section.inRegion();
    int posted = 0;
    WorkRequestException failure = null;
    if (enters) {
      section.enter();
    }
    try {
      RecvWr wr = list;
      while (wr != null) {
        Refusal refusal = prepare(wr, posted);
        if (refusal != null) {
          failure = refusal.toException(FUNCTION, wr, posted);
          break;
        }
        posted++;
        wr = wr.next();
      }
      queue.publish(posted);
    } finally {
      if (enters) {
        section.exit();
      }
    }
    if (posted > 0) {
      runtime.receiveDoorbell();
    }
    if (failure != null) {
      throw failure;
    }
  }

  private @Nullable Refusal prepare(RecvWr wr, int ahead) {
    Refusal refusal = check(wr);
    if (refusal != null) {
      return refusal;
    }
    if (ahead >= queue.free()) {
      return Refusal.full("the receive queue holds max_recv_wr=" + cap.maxRecvWr() + " receives");
    }
    RecvWqe wqe = queue.claim(ahead);
    wqe.begin(wr.wrId());
    Sge[] list = wr.sgList();
    for (int i = 0; i < wr.numSge(); i++) {
      Sge sge = list[i];
      wqe.data().add(sge.lkey(), sge.addr(), sge.length());
    }
    return null;
  }

  private @Nullable Refusal check(RecvWr wr) {
    if (runtime.status().state() == QpState.RESET) {
      return Refusal.invalid("receives are posted from state INIT on, this QP is in RESET");
    }
    Sge[] list = wr.sgList();
    int numSge = wr.numSge();
    if (numSge < 0 || numSge > list.length) {
      return Refusal.invalid(numSge + " SGEs of a list of " + list.length);
    }
    if (numSge > cap.maxRecvSge()) {
      return Refusal.invalid(
          numSge + " SGEs, this QP was created with max_recv_sge=" + cap.maxRecvSge());
    }
    long total = 0;
    for (int i = 0; i < numSge; i++) {
      if (list[i] == null) {
        return Refusal.invalid("SGE " + i + " is null");
      }
      Refusal refusal = SendRules.keyed(i, list[i]);
      if (refusal != null) {
        return refusal;
      }
      total += list[i].length();
    }
    return total < Limits.RECEIVE_BYTES
        ? null
        : Refusal.invalid(total + " bytes, a receive has fewer than " + Limits.RECEIVE_BYTES);
  }
}
