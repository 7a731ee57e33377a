package dev.verbena.soft.device.post;

import dev.verbena.soft.device.mr.SoftMemoryWindow;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.CallSection;
import org.jspecify.annotations.Nullable;

/** ibv_bind_mw of one queue pair: posts the bind of a type 1 window (S5.3.2). */
public final class WindowPoster {
  private static final String FUNCTION = "bindMw";
  private static final SendOperation BIND = SendOperation.of(WrOpcode.BIND_MW);

  private final QpRuntime runtime;
  private final CallSection section;
  private final SendRules rules;
  private final WindowRules windowRules;

  public WindowPoster(
      QpRuntime runtime, CallSection section, SendRules rules, WindowRules windowRules) {
    this.runtime = runtime;
    this.section = section;
    this.rules = rules;
    this.windowRules = windowRules;
  }

  /** Posts it, and gives the window its next key. */
  public void post(MemoryWindow mw, MwBind bind) {
    section.requireClosed(FUNCTION);
    SoftMemoryWindow window = windowRules.ofType1(mw, bind.bindInfo());
    Refusal refusal;
    section.enter(FUNCTION);
    try {
      refusal = check(bind.sendFlags());
      if (refusal == null) {
        SendQueue queue = runtime.sends();
        SendWqe wqe = queue.claim(0);
        rules.begin(wqe, bind.wrId(), BIND, bind.sendFlags());
        WindowRules.fill(wqe.binding(), window, window.nextKey(), bind.bindInfo());
        queue.publish(1);
      }
    } finally {
      section.exit();
    }
    if (refusal != null) {
      throw refusal.toException(FUNCTION, section.name(), bind, 0);
    }
    runtime.machines.sendDoorbell();
  }

  private @Nullable Refusal check(int flags) {
    Refusal refusal = SendRules.state(runtime.status().state);
    if (refusal == null) {
      refusal = SendRules.flags(flags);
    }
    if (refusal == null && (flags & SendFlags.INLINE) != 0) {
      refusal = SendRules.inline(BIND);
    }
    SendQueue queue = runtime.sends();
    return refusal == null && queue.free() == 0 ? rules.full(queue, 0, runtime.status()) : refusal;
  }
}
