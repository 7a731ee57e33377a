package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Functions;
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
import org.jspecify.annotations.Nullable;

/** A protection domain of libibverbs: what it makes. */
final class NativeProtectionDomain extends NativeObject implements ProtectionDomain {
  private NativeProtectionDomain(NativeContext context, long address) {
    super(context, Kind.PD, address, Functions.DEALLOC_PD);
  }

  static NativeProtectionDomain alloc(NativeContext context) {
    return make(
        context,
        Kind.PD,
        "allocPd",
        Functions.ALLOC_PD,
        Functions.DEALLOC_PD,
        address -> new NativeProtectionDomain(context, address));
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
    return NativeNullRegion.alloc(this);
  }

  @Override
  public MemoryWindow allocMw(MwType type) {
    return NativeMemoryWindow.alloc(this, type);
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
