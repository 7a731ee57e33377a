package dev.verbena.dropin;

import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.object.QpBinding;
import dev.verbena.dropin.struct.FlowAttrs;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvFlow;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.QueuePair;

/** Calls about steering rules. */
final class FlowCalls {
  static long createFlow(long qp, long attr, long struct) {
    QueuePair owner = QpBinding.get(qp).queue();
    Flow flow = owner.createFlow(FlowAttrs.read(attr));
    Host.setInt(struct + IbvFlow.HANDLE, (int) Handles.add(owner.context(), flow));
    return 0;
  }

  static long destroyFlow(long handle) {
    Handles.get(handle, HandleKind.FLOW).destroy();
    Handles.remove(handle);
    return 0;
  }

  private FlowCalls() {}
}
