package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.layout.IbvTdInitAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.provider.Kind;
import java.lang.foreign.Arena;
import java.util.List;

/** A thread domain of libibverbs. */
final class NativeThreadDomain extends NativeObject implements ThreadDomain {
  private static final String ALLOC = "allocTd";

  private NativeThreadDomain(NativeContext context, long address, FunctionNative dealloc) {
    super(context, Kind.TD, address, dealloc);
  }

  static NativeThreadDomain alloc(NativeContext context) {
    context.lifetime().require(ALLOC);
    FunctionNative alloc = context.operations().extended("alloc_td", VerbsContext.ALLOC_TD);
    FunctionNative dealloc = context.operations().extended("dealloc_td", VerbsContext.DEALLOC_TD);
    try (Handle.Use use = context.handle().use(ALLOC);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvTdInitAttr.LAYOUT.size(), Long.BYTES).address();
      long address =
          alloc.call(ALLOC, use.address(), in).pointer(ALLOC, "a thread domain of " + context);
      return make(
          address,
          ALLOC,
          dealloc,
          () -> new NativeThreadDomain(context, address, dealloc),
          List.of());
    }
  }

  @Override
  public void dealloc() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return handle()::end;
  }
}
