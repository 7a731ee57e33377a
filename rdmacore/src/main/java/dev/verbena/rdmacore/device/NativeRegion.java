package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.post.NativeBindable;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.DeviceAttrEx;
import dev.verbena.verbs.DeviceCapEx;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.RegistrationRules;

/** A region of a device of libibverbs, and what is checked before one is registered. */
abstract sealed class NativeRegion extends NativePdObject implements MemoryRegion, NativeBindable
    permits NativeMemoryRegion, NativeUnmappedRegion {
  /** Bytes; a power of two. */
  private static final int PAGE =
      (int) FunctionNative.ofLibc("getpagesize").call("getpagesize").value();

  private volatile int access;
  private volatile int rkey;

  /**
   * @param address its struct ibv_mr
   */
  NativeRegion(NativeProtectionDomain pd, int access, int rkey, long address) {
    super(pd, Kind.MR, hex(lkey(address)), address, Functions.DEREG_MR);
    this.access = access;
    this.rkey = rkey;
  }

  static int lkey(long address) {
    return Host.getInt(address + IbvMr.LKEY);
  }

  static String hex(int number) {
    return "0x" + Integer.toHexString(number);
  }

  static int rkey(long address) {
    return Host.getInt(address + IbvMr.RKEY);
  }

  static void requireRights(String verb, NativeProtectionDomain pd, int access) {
    pd.lifetime().require(verb);
    RegistrationRules.access(verb, access);
  }

  /** Adapters translate whole pages. */
  static void requireSamePlace(String verb, String what, long start, long iova) {
    if (((start ^ iova) & (PAGE - 1)) != 0) {
      throw new VerbsException(
          verb,
          Errno.EINVAL,
          what
              + " 0x"
              + Long.toHexString(start)
              + " and the iova 0x"
              + Long.toHexString(iova)
              + " are not at the same place in a page of "
              + PAGE
              + " bytes");
    }
  }

  /** The kernel says of a right that it does not know only that something was wrong. */
  static void requireOffered(String verb, NativeContext context, int access) {
    DeviceAttrEx device = context.queryDeviceEx();
    long caps = device.deviceCapFlagsEx();
    int missing = (caps & DeviceCapEx.FLUSH_GLOBAL) == 0 ? access & Access.FLUSH_GLOBAL : 0;
    missing |= (caps & DeviceCapEx.FLUSH_PERSISTENT) == 0 ? access & Access.FLUSH_PERSISTENT : 0;
    missing |= device.odpCaps().generalCaps() == 0 ? access & Access.ON_DEMAND : 0;
    if (missing != 0) {
      throw new VerbsException(
          verb,
          Errno.EOPNOTSUPP,
          "the rights " + hex(missing) + " are not among the capabilities of the " + context);
    }
  }

  /** It has other rights and another key now. */
  final void changed(int newAccess, int newRkey) {
    access = newAccess;
    rkey = newRkey;
  }

  @Override
  public final int rkey() {
    lifetime().require("rkey");
    return rkey;
  }

  @Override
  public final int access() {
    lifetime().require("access");
    return access;
  }

  @Override
  public boolean isOf(Handle context) {
    return home().handle().equals(context);
  }

  @Override
  public final long struct() {
    return lifetime().isClosed() ? 0 : handle().present();
  }

  @Override
  public final void dereg() {
    lifetime().destroy();
  }
}
