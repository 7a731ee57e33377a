package dev.verbena.dropin;

import dev.verbena.dropin.object.HandleKind;
import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.object.QpBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.layout.IbvMw;
import dev.verbena.rdmacore.layout.IbvMwBind;
import dev.verbena.rdmacore.layout.IbvMwBindInfo;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBind;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Calls about regions and windows. */
final class MemoryCalls {
  static long regMr(long pdHandle, long address, long length, long iova, long access, long struct) {
    ProtectionDomain pd = DomainCalls.pd(pdHandle);
    if (((int) access & Access.ON_DEMAND) != 0) {
      // Check this before the length, which is not a real one if a program asks for all memory.
      throw new VerbsException("regMr", Errno.EOPNOTSUPP, "on-demand regions are not supported");
    }
    refusePersistence("regMr", access);
    MemorySegment memory = segment(address, length);
    boolean moved = iova != address && ((int) access & Access.ZERO_BASED) == 0;
    MemoryRegion mr =
        moved ? pd.regMrIova(memory, iova, (int) access) : pd.regMr(memory, (int) access);
    addMr(mr, struct);
    return 0;
  }

  /**
   * Refuses persistence, as the capabilities say: only the address of the program's memory is
   * known, not the file it may be mapped from, so nothing can be made persistent.
   */
  private static void refusePersistence(String function, long access) {
    if ((access & Access.FLUSH_PERSISTENT) != 0) {
      throw new VerbsException(
          function,
          Errno.EOPNOTSUPP,
          "IBV_ACCESS_FLUSH_PERSISTENT: memory of a C program cannot be made persistent here;"
              + " use IBV_ACCESS_FLUSH_GLOBAL alone");
    }
  }

  private static MemorySegment segment(long address, long length) {
    if (length <= 0) {
      throw new VerbsException("regMr", Errno.EINVAL, "a region of " + length + " bytes");
    }
    return HostNative.segment(address, length);
  }

  private static void addMr(MemoryRegion mr, long struct) {
    setKeys(mr, struct);
    Host.setInt(struct + IbvMr.HANDLE, (int) Handles.add(mr.context(), mr));
  }

  private static void setKeys(MemoryRegion mr, long struct) {
    Host.setInt(struct + IbvMr.LKEY, mr.lkey());
    Host.setInt(struct + IbvMr.RKEY, mr.rkey());
  }

  /** Checks that the region a program imports belongs to this domain. */
  static long importMr(long pdHandle, long handle, long struct) {
    MemoryRegion mr = mr(handle);
    if (!mr.pd().equals(DomainCalls.pd(pdHandle))) {
      throw new VerbsException(
          "importMr", Errno.EINVAL, "handle " + handle + " belongs to another protection domain");
    }
    setKeys(mr, struct);
    Host.setLong(struct + IbvMr.LENGTH, mr.length());
    return 0;
  }

  static long reregMr(
      long handle, long flags, long pdHandle, long address, long length, long access) {
    boolean moves = (flags & ReregFlags.CHANGE_TRANSLATION) != 0;
    boolean rights = (flags & ReregFlags.CHANGE_ACCESS) != 0;
    if (rights) {
      refusePersistence("reregMr", access);
    }
    mr(handle)
        .rereg(
            (int) flags,
            Handles.getIfGiven(pdHandle, HandleKind.PD),
            moves ? segment(address, length) : null,
            rights ? (int) access : 0);
    return 0;
  }

  static long deregMr(long handle) {
    mr(handle).dereg();
    Handles.remove(handle);
    return 0;
  }

  static MemoryRegion mr(long handle) {
    return Handles.get(handle, HandleKind.MR);
  }

  static long allocNullMr(long pd, long struct) {
    addMr(DomainCalls.pd(pd).allocNullMr(), struct);
    return 0;
  }

  static long allocMw(long pd, long type, long struct) {
    MemoryWindow mw = DomainCalls.pd(pd).allocMw(MwType.of((int) type));
    Host.setInt(struct + IbvMw.RKEY, mw.rkey());
    Host.setInt(struct + IbvMw.HANDLE, (int) Handles.add(mw.context(), mw));
    return 0;
  }

  static long deallocMw(long handle) {
    Handles.get(handle, HandleKind.MW).dealloc();
    Handles.remove(handle);
    return 0;
  }

  static long bindMw(long qp, long mwStruct, long bind) {
    HostNative.require("bindMw", "mw", mwStruct, IbvMw.LAYOUT.size());
    HostNative.require("bindMw", "mw_bind", bind, IbvMwBind.LAYOUT.size());
    MemoryWindow mw = mw(mwStruct);
    QpBinding.get(qp)
        .queue()
        .bindMw(
            mw,
            new MwBind(
                Host.getLong(bind + IbvMwBind.WR_ID),
                Host.getInt(bind + IbvMwBind.SEND_FLAGS),
                bindInfo(bind + IbvMwBind.BIND_INFO)));
    Host.setInt(mwStruct + IbvMw.RKEY, mw.rkey());
    return 0;
  }

  /** The window of a struct ibv_mw. */
  static MemoryWindow mw(long struct) {
    return Handles.get(Host.getInt(struct + IbvMw.HANDLE), HandleKind.MW);
  }

  /** Reads a struct ibv_mw_bind_info. */
  static MwBindInfo bindInfo(long address) {
    long struct = Host.getLong(address + IbvMwBindInfo.MR);
    @Nullable MemoryRegion mr = struct == 0 ? null : mr(Host.getInt(struct + IbvMr.HANDLE));
    return new MwBindInfo(
        mr,
        Host.getLong(address + IbvMwBindInfo.ADDR),
        Host.getLong(address + IbvMwBindInfo.LENGTH),
        Host.getInt(address + IbvMwBindInfo.MW_ACCESS_FLAGS));
  }

  private MemoryCalls() {}
}
