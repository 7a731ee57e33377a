package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.post.NativeAddress;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Kind;
import java.lang.foreign.Arena;
import java.util.List;

/** An address handle of libibverbs. */
final class NativeAddressHandle extends NativePdObject implements AddressHandle, NativeAddress {
  private static final String CREATE = "createAh";

  private final AhAttr attr;
  private final long address;

  private NativeAddressHandle(NativeProtectionDomain pd, AhAttr attr, long address) {
    super(pd, Kind.AH, pd.home().nextNumber(), address, Functions.DESTROY_AH);
    this.attr = attr;
    this.address = address;
  }

  static NativeAddressHandle create(NativeProtectionDomain pd, AhAttr attr) {
    String unfit = Structs.unfit(attr);
    if (unfit != null) {
      throw new VerbsException(CREATE, Errno.EINVAL, unfit);
    }
    try (Handle.Use use = pd.handle().use(CREATE);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvAhAttr.LAYOUT.size(), Long.BYTES).address();
      Structs.setAhAttr(in, attr);
      long address =
          Functions.CREATE_AH.call(CREATE, use.address(), in).pointer(CREATE, attr + " in " + pd);
      return make(
          address,
          CREATE,
          Functions.DESTROY_AH,
          () -> new NativeAddressHandle(pd, attr, address),
          List.of());
    }
  }

  @Override
  public boolean isOf(Handle domain) {
    return domain().root().handle().equals(domain);
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public AhAttr attr() {
    lifetime().require("attr");
    return attr;
  }

  @Override
  public void destroy() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return handle().endingAfter(home().sendSides()::passAll);
  }
}
