package dev.verbena.soft.device.post;

import dev.verbena.soft.device.object.SoftAddressHandle;
import dev.verbena.soft.engine.qp.QpMachines;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.memory.ScatterGather;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SendWrField;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.CallSection;
import org.jspecify.annotations.Nullable;

/** postSend of one queue pair (S1). Allocates nothing unless it fails. */
public final class SendPoster {
  private static final String FUNCTION = "postSend";

  private final QpRuntime runtime;
  private final QpMachines machines;
  private final SendQueue queue;
  private final CallSection section;
  private final SendRules rules;
  private final WindowRules windowRules;

  public SendPoster(
      QpRuntime runtime, CallSection section, SendRules rules, WindowRules windowRules) {
    this.windowRules = windowRules;
    this.runtime = runtime;
    this.machines = runtime.machines;
    this.queue = runtime.sends();
    this.section = section;
    this.rules = rules;
  }

  /** Posts a list, up to the first refused request (S1.4.1). */
  public void post(@Nullable SendWr list) {
    int posted = 0;
    WorkRequestException failure = null;
    section.enter(FUNCTION);
    try {
      SendWr wr = list;
      while (wr != null) {
        Refusal refusal = prepare(wr, posted);
        if (refusal != null) {
          failure = refusal.toException(FUNCTION, section.name(), wr, posted);
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
      machines.sendDoorbell();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Checks a request, in the order of S1.3, and fills the slot for it. */
  private @Nullable Refusal prepare(SendWr wr, int ahead) {
    Refusal refusal = SendRules.state(runtime.status().state);
    WrOpcode opcode = wr.opcode();
    if (refusal != null) {
      return refusal;
    }
    if (opcode == null) {
      return Refusal.invalid("the work request has no opcode");
    }
    SendOperation operation = SendOperation.of(opcode);
    refusal = check(wr, operation);
    if (refusal != null) {
      return refusal;
    }
    if (ahead >= queue.free()) {
      return rules.full(queue, ahead, runtime.status());
    }
    SendWqe wqe = queue.claim(ahead);
    int flags = wr.sendFlags();
    rules.begin(wqe, wr.wrId(), operation, flags);
    wqe.srqNum(wr.remoteSrqn());
    refusal = fill(wqe, operation, wr);
    if (refusal != null || !operation.uses(SendWrField.SG_LIST)) {
      return refusal;
    }
    if (wr.ah() instanceof SoftAddressHandle ah && rules.needsDestination()) {
      wqe.destination(ah.destination(), wr.remoteQpn(), wr.remoteQkey());
    }
    return (flags & SendFlags.INLINE) != 0 ? copyInline(wr, wqe.data) : addElements(wr, wqe.data);
  }

  private @Nullable Refusal check(SendWr wr, SendOperation operation) {
    Refusal refusal = rules.operation(operation);
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
    if (refusal == null) {
      refusal = checkData(wr, operation);
    }
    if (refusal == null && operation.uses(SendWrField.FLUSH)) {
      refusal = SendRules.flush(wr.flushType(), wr.flushLevel(), wr.flushLength());
    }
    if (refusal == null && operation.uses(SendWrField.BIND_MW)) {
      refusal =
          wr.numSge() == 0
              ? windowRules.request(wr.mw(), wr.bindInfo())
              : Refusal.invalid("BIND_MW with " + wr.numSge() + " SGEs; it has no data");
    }
    return refusal;
  }

  private @Nullable Refusal checkData(SendWr wr, SendOperation operation) {
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
      Refusal refusal = SendRules.inline(operation);
      if (refusal != null || rules.exceedsInline(total)) {
        return refusal != null ? refusal : Refusal.invalid(rules.inlineLimit(total));
      }
    }
    return rules.total(operation, total);
  }

  /** Fills in the fields of the operation, except its data and destination. */
  private @Nullable Refusal fill(SendWqe wqe, SendOperation operation, SendWr wr) {
    if (operation.uses(SendWrField.REMOTE)) {
      wqe.remote(wr.remoteAddr(), wr.rkey());
    }
    if (operation.uses(SendWrField.IMM_DATA)) {
      wqe.immOrKey(wr.immData());
    }
    if (operation.uses(SendWrField.INVALIDATE_RKEY)) {
      wqe.immOrKey(wr.invalidateRkey());
    }
    if (operation.uses(SendWrField.SWAP)) {
      wqe.operands(wr.compareAdd(), wr.swap());
    } else if (operation.uses(SendWrField.COMPARE_ADD)) {
      wqe.operands(0, wr.compareAdd());
    }
    if (operation.uses(SendWrField.FLUSH)) {
      wqe.flush(wr.flushLength(), wr.flushType(), wr.flushLevel().number());
    }
    MemoryWindow mw = wr.mw();
    MwBindInfo info = wr.bindInfo();
    if (operation.uses(SendWrField.BIND_MW) && mw != null && info != null) {
      WindowRules.fill(wqe.binding(), mw, wr.bindRkey(), info);
    }
    return operation.uses(SendWrField.TSO) ? rules.tso().take(wqe, wr.tsoHdr(), wr.mss()) : null;
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
