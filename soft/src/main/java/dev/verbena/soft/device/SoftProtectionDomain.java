package dev.verbena.soft.device;

import dev.verbena.soft.device.mr.SoftMemoryRegion;
import dev.verbena.soft.device.mr.SoftMemoryWindow;
import dev.verbena.soft.device.mr.SoftNullRegion;
import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.device.object.SoftAddressHandle;
import dev.verbena.soft.device.qp.QpFactory;
import dev.verbena.soft.device.qp.SoftSharedReceiveQueue;
import dev.verbena.soft.memory.Domain;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A protection domain of the software device, which makes the objects in it. */
sealed class SoftProtectionDomain extends OpenDomain permits SoftParentDomain {
  SoftProtectionDomain(OpenContext context, Domain domain, Lifetime owner, Kind kind) {
    super(context, domain, owner, kind);
  }

  static SoftProtectionDomain create(OpenContext context) {
    SoftProtectionDomain pd =
        new SoftProtectionDomain(context, new Domain(), context.lifetime(), Kind.PD);
    pd.lifetime().begin("allocPd", List.of());
    return pd;
  }

  @Override
  public final MemoryRegion regMr(MemorySegment memory, int... access) {
    return SoftMemoryRegion.register(this, memory, Access.of(access));
  }

  @Override
  public final MemoryRegion regMrIova(MemorySegment memory, long iova, int... access) {
    return SoftMemoryRegion.registerAt(this, memory, iova, Access.of(access));
  }

  @Override
  public final MemoryRegion allocMr(long bytes, int... access) {
    return SoftMemoryRegion.allocate(this, bytes, Access.of(access));
  }

  @Override
  public final MemoryRegion allocNullMr() {
    return SoftNullRegion.allocate(this);
  }

  @Override
  public final MemoryWindow allocMw(MwType type) {
    return SoftMemoryWindow.allocate(this, type);
  }

  @Override
  public final QueuePair createQp(QpInitAttr attr) {
    return QpFactory.create(this, attr);
  }

  @Override
  public final @Nullable QueuePair fromQpNum(int qpNum) {
    return QpFactory.find(lifetime(), qpNum);
  }

  @Override
  public final AddressHandle createAh(AhAttr attr) {
    return SoftAddressHandle.create(this, attr);
  }

  @Override
  public final SharedReceiveQueue createSrq(SrqInitAttr attr) {
    return SoftSharedReceiveQueue.create(this, attr);
  }
}
