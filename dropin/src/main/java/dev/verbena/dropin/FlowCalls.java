package dev.verbena.dropin;

import dev.verbena.rdmacore.layout.IbvFlow;
import dev.verbena.verbs.Flow;

/** Calls about steering rules. */
final class FlowCalls {
  static long createFlow(long qp, long attr, long struct) {
    Flow flow = QpBinding.get(qp).qp().createFlow(FlowAttrs.read(attr));
    Host.setInt(struct + IbvFlow.HANDLE, (int) Handles.add(flow));
    return 0;
  }

  static long destroyFlow(long handle) {
    Handles.get(handle, Flow.class).close();
    Handles.remove(handle);
    return 0;
  }

  private FlowCalls() {}
}
