package dev.verbena.soft.device.post;

import dev.verbena.soft.device.life.CallSection;
import dev.verbena.soft.device.object.SoftAddressHandle;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.memory.ScatterGather;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** postSend of one queue pair (S1). Allocates nothing unless it fails. */
public final class SendPoster {
  private static final String FUNCTION = "postSend";

  private final QpRuntime runtime;
  private final SendQueue queue;
  private final CallSection section;
  private final SendRules rules;
  private final WindowRules windowRules;

  public SendPoster(
      QpRuntime runtime, CallSection section, SendRules rules, WindowRules windowRules) {
    this.windowRules = windowRules;
    this.runtime = runtime;
    this.queue = runtime.sends();
    this.section = section;
    this.rules = rules;
  }

  /** Posts a list, up to the first request that is refused (S1.4.1). */
  public void post(@Nullable SendWr list) {
    section.requireClosed(FUNCTION);
    int posted = 0;
    WorkRequestException failure = null;
    section.enter(FUNCTION);
    try {
      SendWr wr = list;
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
      section.exit();
    }
    if (posted > 0) {
      runtime.sendDoorbell();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Checks a request, in the order of S1.3, and fills the slot for it. */
  private @Nullable Refusal prepare(SendWr wr, int ahead) {
    WrOpcode opcode = wr.opcode();
    Refusal refusal = check(wr, opcode);
    if (refusal != null) {
      return refusal;
    }
    if (opcode == null || ahead >= queue.free()) {
      return rules.full();
    }
    SendWqe wqe = queue.claim(ahead);
    int flags = wr.sendFlags();
    wqe.begin(wr.wrId(), opcode, rules.effectiveFlags(opcode, flags), rules.isSignaled(flags));
    wqe.srqNum(wr.remoteSrqn());
    fill(wqe, opcode, wr);
    if (opcode == WrOpcode.FLUSH || opcode == WrOpcode.LOCAL_INV) {
      // What the list says means nothing here.
      return null;
    }
    if (wr.ah() instanceof SoftAddressHandle ah && rules.needsDestination()) {
      wqe.destination(ah.destination(), wr.remoteQpn(), wr.remoteQkey());
    }
    if (opcode == WrOpcode.TSO) {
      refusal = rules.tso().take(wqe, wr.tsoHdr(), wr.mss());
      if (refusal != null) {
        return refusal;
      }
    }
    return (flags & SendFlags.INLINE) != 0
        ? copyInline(wr, wqe.data())
        : addElements(wr, wqe.data());
  }

  private @Nullable Refusal check(SendWr wr, @Nullable WrOpcode opcode) {
    Refusal refusal = SendRules.state(runtime.status().state());
    if (refusal == null) {
      refusal = rules.opcode(opcode);
    }
    if (refusal == null) {
      refusal = SendRules.flags(wr.sendFlags());
    }
    if (refusal == null) {
      refusal = rules.elements(wr.numSge(), wr.sgList().length);
    }
    if (refusal == null && rules.needsDestination()) {
      refusal = rules.destination(wr.ah(), wr.remoteQpn());
    }
    if (refusal == null && rules.type() == QpType.XRC_SEND) {
      refusal = SendRules.srqNum(wr.remoteSrqn());
    }
    if (refusal != null || opcode == null) {
      return refusal;
    }
    refusal = checkData(wr, opcode);
    if (refusal != null) {
      return refusal;
    }
    return switch (opcode) {
      case FLUSH -> SendRules.flush(wr.flushType(), wr.flushLevel(), wr.flushLength());
      case BIND_MW ->
          wr.numSge() == 0
              ? windowRules.request(wr.mw(), wr.bindInfo())
              : Refusal.invalid("BIND_MW with " + wr.numSge() + " SGEs; it has no data");
      default -> null;
    };
  }

  private @Nullable Refusal checkData(SendWr wr, WrOpcode opcode) {
    Sge[] list = wr.sgList();
    boolean inline = (wr.sendFlags() & SendFlags.INLINE) != 0;
    long total = 0;
    for (int i = 0; i < wr.numSge(); i++) {
      if (list[i] == null) {
        return Refusal.invalid("SGE " + i + " is null");
      }
      Refusal refusal = inline ? null : SendRules.keyed(i, list[i]);
      if (refusal != null) {
        return refusal;
      }
      total += list[i].length();
    }
    if (inline) {
      Refusal refusal = SendRules.inline(opcode);
      if (refusal != null || rules.exceedsInline(total)) {
        return refusal != null ? refusal : Refusal.invalid(rules.inlineLimit(total));
      }
    }
    return rules.total(opcode, total);
  }

  private static void fill(SendWqe wqe, WrOpcode opcode, SendWr wr) {
    switch (opcode) {
      case SEND_WITH_IMM -> wqe.immOrKey(wr.immData());
      case SEND_WITH_INV, LOCAL_INV -> wqe.immOrKey(wr.invalidateRkey());
      case RDMA_WRITE, RDMA_READ, ATOMIC_WRITE -> wqe.remote(wr.remoteAddr(), wr.rkey());
      case RDMA_WRITE_WITH_IMM -> {
        wqe.remote(wr.remoteAddr(), wr.rkey());
        wqe.immOrKey(wr.immData());
      }
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> {
        wqe.remote(wr.remoteAddr(), wr.rkey());
        wqe.operands(wr.compareAdd(), wr.swap());
      }
      case FLUSH -> {
        wqe.remote(wr.remoteAddr(), wr.rkey());
        wqe.flush(wr.flushLength(), wr.flushType(), wr.flushLevel().number());
      }
      case BIND_MW -> {
        MemoryWindow mw = wr.mw();
        MwBindInfo info = wr.bindInfo();
        if (mw != null && info != null) {
          WindowRules.fill(wqe.binding(), mw, wr.bindRkey(), info);
        }
      }
      case SEND, TSO, DRIVER1 -> {
        // SEND has nothing but data, TSO keeps what it has apart; the others were refused.
      }
    }
  }

  private static @Nullable Refusal addElements(SendWr wr, ScatterGather into) {
    Sge[] list = wr.sgList();
    for (int i = 0; i < wr.numSge(); i++) {
      Sge sge = list[i];
      into.add(sge.lkey(), sge.addr(), sge.length());
    }
    return null;
  }

  private @Nullable Refusal copyInline(SendWr wr, ScatterGather into) {
    into.markInline();
    Sge[] list = wr.sgList();
    for (int i = 0; i < wr.numSge(); i++) {
      Refusal refusal =
          list[i].segment() == null
              ? copyRegistered(list[i], into)
              : rules.copyInline(list[i], into);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /** Copies inline data of registered memory, whose registration must not end meanwhile. */
  private @Nullable Refusal copyRegistered(Sge sge, ScatterGather into) {
    runtime.enterMemory();
    try {
      return rules.copyInline(sge, into);
    } finally {
      runtime.exitMemory();
    }
  }
}
