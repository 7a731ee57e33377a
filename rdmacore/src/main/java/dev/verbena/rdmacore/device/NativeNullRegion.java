package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Kind;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The region without memory of ibv_alloc_null_mr. */
final class NativeNullRegion extends NativePdObject implements MemoryRegion {
  private static final String ALLOC = "allocNullMr";

  private final int lkey;

  private NativeNullRegion(NativeProtectionDomain pd, int lkey, long address) {
    super(pd, Kind.MR, "0x" + Integer.toHexString(lkey), address, Functions.DEREG_MR);
    this.lkey = lkey;
  }

  static NativeNullRegion alloc(NativeProtectionDomain pd) {
    pd.lifetime().require(ALLOC);
    FunctionNative alloc =
        pd.home().operations().extended("alloc_null_mr", VerbsContext.ALLOC_NULL_MR);
    try (Handle.Use use = pd.handle().use(ALLOC)) {
      long address =
          alloc.call(ALLOC, use.address()).pointer(ALLOC, "another null region in " + pd);
      int lkey = Host.getInt(address + IbvMr.LKEY);
      return make(
          address,
          ALLOC,
          Functions.DEREG_MR,
          () -> new NativeNullRegion(pd, lkey, address),
          List.of());
    }
  }

  @Override
  public MemorySegment memory() {
    lifetime().require("memory");
    return MemorySegment.NULL;
  }

  @Override
  public long addr() {
    lifetime().require("addr");
    return 0;
  }

  @Override
  public long length() {
    lifetime().require("length");
    return Long.MAX_VALUE;
  }

  @Override
  public int lkey() {
    lifetime().require("lkey");
    return lkey;
  }

  @Override
  public int rkey() {
    lifetime().require("rkey");
    return 0;
  }

  @Override
  public int access() {
    lifetime().require("access");
    return Access.LOCAL_WRITE;
  }

  @Override
  public void rereg(
      int flags,
      @Nullable ProtectionDomain newPd,
      @Nullable MemorySegment newMemory,
      int... newAccess) {
    lifetime().require("reregMr");
    throw new VerbsException(
        "reregMr", Errno.EINVAL, this + " is a null region: there is nothing to change");
  }

  @Override
  public void dereg() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return handle()::end;
  }
}
