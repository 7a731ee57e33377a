package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvRwqIndTableInitAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.RwqIndTable;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectRules;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/** An indirection table of libibverbs. */
final class NativeRwqIndTable extends NativeObject implements RwqIndTable {
  private static final String CREATE = "createRwqIndTable";

  private final List<WorkQueue> wqs;

  private NativeRwqIndTable(
      NativeContext context, List<WorkQueue> wqs, long address, FunctionNative destroy) {
    super(context, Kind.RWQ_IND_TABLE, address, destroy);
    this.wqs = wqs;
  }

  static NativeRwqIndTable create(NativeContext context, List<WorkQueue> entries) {
    context.lifetime().require(CREATE);
    int size = entries.size();
    ObjectRules.tableSize(CREATE, size);
    List<NativeWorkQueue> wqs =
        entries.stream().map(each -> context.own(CREATE, each, NativeWorkQueue.class)).toList();
    FunctionNative create =
        context.operations().extended("create_rwq_ind_table", VerbsContext.CREATE_RWQ_IND_TABLE);
    FunctionNative destroy =
        context.operations().extended("destroy_rwq_ind_table", VerbsContext.DESTROY_RWQ_IND_TABLE);
    List<Lifetime> uses = wqs.stream().map(NativeWorkQueue::lifetime).distinct().toList();
    List<Handle.Use> held = new ArrayList<>();
    try (Handle.Use use = context.handle().use(CREATE);
        Arena arena = Arena.ofConfined()) {
      long list = arena.allocate((long) size * Long.BYTES, Long.BYTES).address();
      for (int i = 0; i < size; i++) {
        Handle.Use wq = wqs.get(i).handle().use(CREATE);
        held.add(wq);
        Host.setLong(list + (long) i * Long.BYTES, wq.address());
      }
      long in = arena.allocate(IbvRwqIndTableInitAttr.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(
          in + IbvRwqIndTableInitAttr.LOG_IND_TBL_SIZE, Integer.numberOfTrailingZeros(size));
      Host.setLong(in + IbvRwqIndTableInitAttr.IND_TBL, list);
      long address =
          create
              .call(CREATE, use.address(), in)
              .pointer(CREATE, "a table of " + size + " entries in the " + context);
      return make(
          address,
          CREATE,
          destroy,
          () -> new NativeRwqIndTable(context, List.copyOf(wqs), address, destroy),
          uses);
    } finally {
      held.forEach(Handle.Use::close);
    }
  }

  @Override
  public List<WorkQueue> wqs() {
    lifetime().require("wqs");
    return wqs;
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
