package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.lang.foreign.Arena;
import java.util.List;

/** An address handle of libibverbs. */
final class NativeAddressHandle extends NativeObject implements AddressHandle, Lifetime.Ending {
  private static final String CREATE = "createAh";
  private static final String DESTROY = "destroyAh";

  private final NativeProtectionDomain pd;
  private final AhAttr attr;
  private final long address;
  private final Lifetime lifetime;
  private final Handle handle;

  private NativeAddressHandle(NativeProtectionDomain pd, AhAttr attr, long address) {
    this.pd = pd;
    this.attr = attr;
    this.address = address;
    this.lifetime = pd.lifetime().child(Kind.AH, pd.home().nextNumber(), this);
    this.handle =
        new Handle(
            lifetime.name(),
            address,
            ah -> Functions.DESTROY_AH.call(DESTROY, ah).orThrow(DESTROY, "it"));
  }

  static NativeAddressHandle create(NativeProtectionDomain pd, AhAttr attr) {
    try (Handle.Use use = pd.handle().use(CREATE);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvAhAttr.LAYOUT.size(), Long.BYTES).address();
      Structs.setAhAttr(in, attr);
      long address =
          Functions.CREATE_AH.call(CREATE, use.address(), in).pointer(CREATE, attr.toString());
      NativeAddressHandle ah = new NativeAddressHandle(pd, attr, address);
      ah.lifetime.begin(CREATE, List.of());
      return ah;
    }
  }

  @Override
  public NativeContext home() {
    return pd.home();
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  Handle handle() {
    return handle;
  }

  /** Whether queue pairs of this domain may use it. */
  boolean isOf(Handle domain) {
    return pd.handle().equals(domain);
  }

  /** Its struct, for a sender that has seen it open; see {@link SendSides#passAll}. */
  long address() {
    return address;
  }

  @Override
  public ProtectionDomain pd() {
    lifetime.require("pd");
    return pd;
  }

  @Override
  public AhAttr attr() {
    lifetime.require("attr");
    return attr;
  }

  @Override
  public void destroy() {
    lifetime.destroy();
  }

  @Override
  public Runnable release() {
    return handle.endingAfter(pd.home().sendSides()::passAll);
  }
}
