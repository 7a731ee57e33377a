package dev.verbena.dropin;

import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.host.Structs;
import dev.verbena.rdmacore.layout.IbvAh;
import dev.verbena.rdmacore.layout.IbvPd;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.XrcDomain;
import dev.verbena.verbs.XrcdInitAttr;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Calls about protection, thread and XRC domains, and address handles. */
final class DomainCalls {
  static long allocPd(long context, long struct) {
    return addPd(DeviceCalls.context(context).allocPd(), struct);
  }

  static long allocParentDomain(long context, long pd, long td, long struct) {
    return addPd(
        DeviceCalls.context(context)
            .allocParentDomain(pd(pd), Handles.getIfGiven(td, HandleKind.TD)),
        struct);
  }

  private static long addPd(ProtectionDomain pd, long struct) {
    Host.setInt(struct + IbvPd.HANDLE, (int) Handles.add(pd.context(), pd));
    return 0;
  }

  /** Checks that the handle a program imports belongs to a domain of this context. */
  static long importPd(long context, long handle) {
    if (!pd(handle).context().equals(DeviceCalls.context(context))) {
      throw new VerbsException(
          "importPd", Errno.EINVAL, "handle " + handle + " belongs to another context");
    }
    return 0;
  }

  static long deallocPd(long handle) {
    pd(handle).dealloc();
    Handles.remove(handle);
    return 0;
  }

  static ProtectionDomain pd(long handle) {
    return Handles.get(handle, HandleKind.PD);
  }

  static long allocTd(long context) {
    ThreadDomain td = DeviceCalls.context(context).allocTd();
    return Handles.add(td.context(), td);
  }

  static long deallocTd(long handle) {
    Handles.get(handle, HandleKind.TD).dealloc();
    Handles.remove(handle);
    return 0;
  }

  static long openXrcd(long context, long fd, long oflags) {
    XrcdInitAttr attr = new XrcdInitAttr();
    if ((int) fd >= 0) {
      // The descriptor may be the only remaining name of the file.
      attr.file(Path.of("/proc/self/fd/" + (int) fd));
    }
    attr.oflags((int) oflags);
    XrcDomain xrcd = DeviceCalls.context(context).openXrcd(attr);
    return Handles.add(xrcd.context(), xrcd);
  }

  static long closeXrcd(long handle) {
    Handles.get(handle, HandleKind.XRCD).close();
    Handles.remove(handle);
    return 0;
  }

  static long createAh(long pd, long attr, long struct) {
    AddressHandle ah = pd(pd).createAh(Structs.ahAttr(attr));
    Host.setInt(struct + IbvAh.HANDLE, (int) Handles.add(ah.context(), ah));
    return 0;
  }

  /** The address handle of a struct ibv_ah; null if there is none. */
  static @Nullable AddressHandle ah(long struct) {
    return struct == 0 ? null : Handles.get(Host.getInt(struct + IbvAh.HANDLE), HandleKind.AH);
  }

  static long destroyAh(long handle) {
    Handles.get(handle, HandleKind.AH).destroy();
    Handles.remove(handle);
    return 0;
  }

  private DomainCalls() {}
}
