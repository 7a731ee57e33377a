package dev.verbena.rdmacore.device;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.provider.Kind;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A protection domain of libibverbs: what it makes. */
final class NativeProtectionDomain extends NativeObject implements ProtectionDomain {
  private static final String ALLOC = "allocPd";

  private NativeProtectionDomain(NativeContext context, long address) {
    super(
        context, context.lifetime(), Kind.PD, context.nextNumber(), address, Functions.DEALLOC_PD);
  }

  static NativeProtectionDomain alloc(NativeContext context) {
    try (Handle.Use use = context.handle().use(ALLOC)) {
      long address =
          Functions.ALLOC_PD
              .call(ALLOC, use.address())
              .pointer(ALLOC, "another protection domain of " + context);
      return make(
          address,
          ALLOC,
          Functions.DEALLOC_PD,
          () -> new NativeProtectionDomain(context, address),
          List.of());
    }
  }

  @Override
  public MemoryRegion regMr(MemorySegment memory, int... access) {
    return NativeMemoryRegion.register(this, memory, Access.of(access));
  }

  @Override
  public MemoryRegion regMrIova(MemorySegment memory, long iova, int... access) {
    return NativeMemoryRegion.registerAt(this, memory, iova, Access.of(access));
  }

  @Override
  public MemoryRegion allocMr(long bytes, int... access) {
    return NativeMemoryRegion.allocate(this, bytes, Access.of(access));
  }

  @Override
  public MemoryRegion allocNullMr() {
    throw home().missing("allocNullMr", "null regions");
  }

  @Override
  public MemoryWindow allocMw(MwType type) {
    throw home().missing("allocMw", "memory windows");
  }

  @Override
  public QueuePair createQp(QpInitAttr attr) {
    return NativeQueuePair.create(this, attr);
  }

  @Override
  public @Nullable QueuePair fromQpNum(int qpNum) {
    return NativeQueuePair.find(lifetime(), qpNum);
  }

  @Override
  public AddressHandle createAh(AhAttr attr) {
    return NativeAddressHandle.create(this, attr);
  }

  @Override
  public SharedReceiveQueue createSrq(SrqInitAttr attr) {
    return NativeSharedReceiveQueue.create(this, attr);
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
