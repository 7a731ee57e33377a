package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvMw;
import dev.verbena.rdmacore.post.NativeBindable;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.ObjectRules;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A memory window of libibverbs. */
final class NativeMemoryWindow extends NativePdObject implements MemoryWindow, NativeBindable {
  private static final String ALLOC = "allocMw";

  private final MwType type;
  private final int firstRkey;
  private final ReentrantLock binding = new ReentrantLock();

  private NativeMemoryWindow(
      NativeProtectionDomain pd, MwType type, long address, FunctionNative dealloc) {
    super(
        pd,
        Kind.MW,
        "0x" + Integer.toHexString(Host.getInt(address + IbvMw.RKEY)),
        address,
        dealloc);
    this.type = type;
    this.firstRkey = Host.getInt(address + IbvMw.RKEY);
  }

  static NativeMemoryWindow alloc(NativeProtectionDomain pd, @Nullable MwType given) {
    pd.lifetime().require(ALLOC);
    MwType type = ObjectRules.windowType(ALLOC, given);
    FunctionNative alloc = pd.home().operations().basic("alloc_mw", IbvContext.OPS_ALLOC_MW);
    FunctionNative dealloc = pd.home().operations().basic("dealloc_mw", IbvContext.OPS_DEALLOC_MW);
    try (Handle.Use use = pd.handle().use(ALLOC)) {
      long address =
          alloc
              .call(ALLOC, use.address(), type.number())
              .pointer(ALLOC, "a window of " + type + " in " + pd);
      return make(
          address,
          ALLOC,
          dealloc,
          () -> new NativeMemoryWindow(pd, type, address, dealloc),
          List.of());
    }
  }

  @Override
  public boolean isOf(Handle context) {
    return home().handle().equals(context);
  }

  @Override
  public long struct() {
    return lifetime().isClosed() ? 0 : handle().present();
  }

  /**
   * Of one thread that binds it, as type 1: the driver reads its key, posts the next one, and then
   * stores that.
   */
  Lock binding() {
    return binding;
  }

  @Override
  public MwType type() {
    lifetime().require("type");
    return type;
  }

  @Override
  public int rkey() {
    lifetime().require("rkey");
    if (type == MwType.TYPE_2) {
      return firstRkey;
    }
    try (Handle.Use use = handle().use("rkey")) {
      return Host.getInt(use.address() + IbvMw.RKEY);
    }
  }

  @Override
  public void dealloc() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return handle().endingAfter(home().sendSides()::passAll);
  }
}
