package dev.verbena.soft.device;

import dev.verbena.soft.memory.NullRegion;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The region without memory of ibv_alloc_null_mr (S5.1.4). */
final class SoftNullRegion extends PdObject implements MemoryRegion, Lifetime.Ending {
  private final SoftProtectionDomain pd;
  private final NullRegion region;
  private final Lifetime lifetime;

  private SoftNullRegion(SoftProtectionDomain pd, NullRegion region) {
    this.pd = pd;
    this.region = region;
    this.lifetime = pd.lifetime().child(Kind.MR, "0x" + Integer.toHexString(region.lkey()), this);
  }

  static SoftNullRegion allocate(SoftProtectionDomain pd) {
    String function = "allocNullMr";
    pd.lifetime().require(function);
    NullRegion region = pd.softContext().engine().keys().registerNull(pd.domain());
    if (region == null) {
      throw pd.softContext().population().full(function, Kind.MR);
    }
    SoftNullRegion mr = new SoftNullRegion(pd, region);
    mr.lifetime.begin(function, List.of());
    return mr;
  }

  @Override
  SoftProtectionDomain softPd() {
    return pd;
  }

  @Override
  Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public MemorySegment memory() {
    lifetime.require("memory");
    return MemorySegment.NULL;
  }

  @Override
  public long addr() {
    lifetime.require("addr");
    return 0;
  }

  @Override
  public long length() {
    lifetime.require("length");
    return Long.MAX_VALUE;
  }

  @Override
  public int lkey() {
    lifetime.require("lkey");
    return region.lkey();
  }

  @Override
  public int rkey() {
    lifetime.require("rkey");
    return 0;
  }

  @Override
  public int access() {
    lifetime.require("access");
    return Access.LOCAL_WRITE;
  }

  @Override
  public void rereg(
      int flags,
      @Nullable ProtectionDomain newPd,
      @Nullable MemorySegment newMemory,
      int... access) {
    lifetime.require("reregMr");
    throw new VerbsException(
        "reregMr", Errno.EINVAL, lifetime.name() + " is a null region: there is nothing to change");
  }

  @Override
  public void tearDown() {
    // No memory of the application: nobody need be waited for.
    pd.softContext().engine().keys().remove(region);
  }

  @Override
  public void dereg() {
    lifetime.destroy("deregMr");
  }

  @Override
  public void close() {
    lifetime.close("deregMr");
  }
}
