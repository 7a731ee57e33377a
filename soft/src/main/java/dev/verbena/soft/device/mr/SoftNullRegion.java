package dev.verbena.soft.device.mr;

import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.memory.NullRegion;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Kind;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The region without memory of ibv_alloc_null_mr (S5.1.4). */
public final class SoftNullRegion extends SoftRegion {
  private final NullRegion region;

  private SoftNullRegion(OpenDomain pd, NullRegion region) {
    super(pd, region);
    this.region = region;
  }

  public static SoftNullRegion allocate(OpenDomain pd) {
    String function = "allocNullMr";
    pd.lifetime().require(function);
    NullRegion region = pd.openContext().engine().keys().registerNull(pd.domain());
    if (region == null) {
      throw pd.openContext().population().full(function, Kind.MR);
    }
    SoftNullRegion mr = new SoftNullRegion(pd, region);
    mr.lifetime().begin(function, List.of());
    return mr;
  }

  @Override
  NullRegion registration() {
    return region;
  }

  @Override
  public void rereg(
      int flags,
      @Nullable ProtectionDomain newPd,
      @Nullable MemorySegment newMemory,
      int... access) {
    lifetime().require("reregMr");
    throw new VerbsException(
        "reregMr",
        Errno.EINVAL,
        lifetime().name() + " is a null region: there is nothing to change");
  }

  @Override
  public Runnable release() {
    return ending(openContext().engine(), region);
  }

  private static Runnable ending(Engine engine, NullRegion region) {
    // It has no memory of the application, so there is no thread to wait for.
    return () -> engine.keys().remove(region);
  }
}
