package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.FlowWriter;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Flow;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.provider.Kind;
import java.lang.foreign.Arena;
import java.util.List;

/** A steering rule of libibverbs. */
final class NativeFlow extends NativeObject implements Flow {
  private static final String CREATE = "createFlow";

  private final NativeQueuePair qp;

  private NativeFlow(NativeQueuePair qp, long address, FunctionNative destroy) {
    super(qp.home(), qp.lifetime(), Kind.FLOW, qp.home().nextNumber(), address, destroy);
    this.qp = qp;
  }

  static NativeFlow create(NativeQueuePair qp, FlowAttr attr) {
    qp.lifetime().require(CREATE);
    NativeContext context = qp.home();
    FunctionNative create =
        context.operations().extended("create_flow", VerbsContext.IBV_CREATE_FLOW);
    FunctionNative destroy =
        context.operations().extended("destroy_flow", VerbsContext.IBV_DESTROY_FLOW);
    try (Handle.Use use = qp.handle().use(CREATE);
        Arena arena = Arena.ofConfined()) {
      long in = FlowWriter.write(arena, attr);
      long address = create.call(CREATE, use.address(), in).pointer(CREATE, attr + " for " + qp);
      return make(address, CREATE, destroy, () -> new NativeFlow(qp, address, destroy), List.of());
    }
  }

  @Override
  public QueuePair qp() {
    lifetime().require("qp");
    return qp;
  }

  @Override
  public void destroy() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return handle()::end;
  }
}
