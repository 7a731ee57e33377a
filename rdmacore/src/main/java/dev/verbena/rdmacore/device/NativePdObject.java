package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.provider.Kind;

/** An object of a protection domain that is a struct of the library. */
abstract class NativePdObject extends NativeObject {
  private volatile NativeProtectionDomain pd;

  /** As for {@link NativeObject}. */
  NativePdObject(
      NativeProtectionDomain pd, Kind kind, String number, long address, FunctionNative end) {
    super(pd.home(), pd.lifetime(), kind, number, address, end);
    this.pd = pd;
  }

  /**
   * Gives the object another domain of its context.
   *
   * @throws ObjectClosedException if that one has ended
   */
  final void move(String verb, NativeProtectionDomain next) {
    lifetime().move(verb, next.lifetime());
    pd = next;
  }

  /** The domain that it is of, also if it is closed. */
  final NativeProtectionDomain domain() {
    return pd;
  }

  /** The domain that it is of. */
  public final ProtectionDomain pd() {
    lifetime().require("pd");
    return pd;
  }
}
