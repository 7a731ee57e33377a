package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.provider.Kind;

/** An object of a protection domain that is a struct of the library. */
abstract class NativePdObject extends NativeObject {
  private final NativeProtectionDomain pd;

  /** As for {@link NativeObject}. */
  NativePdObject(
      NativeProtectionDomain pd, Kind kind, String number, long address, FunctionNative end) {
    super(pd.home(), pd.lifetime(), kind, number, address, end);
    this.pd = pd;
  }

  /** The domain that it was made of, also if it is closed. */
  final NativeProtectionDomain domain() {
    return pd;
  }

  /** The domain that it was made of. */
  public final ProtectionDomain pd() {
    lifetime().require("pd");
    return pd;
  }
}
