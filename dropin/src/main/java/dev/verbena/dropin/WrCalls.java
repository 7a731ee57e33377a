package dev.verbena.dropin;

import dev.verbena.dropin.object.QpBinding;
import dev.verbena.dropin.struct.SgList;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvDataBuf;
import dev.verbena.rdmacore.layout.IbvMw;
import dev.verbena.rdmacore.layout.IbvMwBindInfo;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;

/**
 * Builders and setters of the extended posting API, which have no result in C. The queue pair keeps
 * errors of a request until wr_complete, and its {@link QpBinding} does the same with exceptions of
 * these calls. Builders receive wr_id and wr_flags as they are at the moment of the call.
 */
final class WrCalls {
  /**
   * Limit for the number of buffers: even with empty ones, more do not make sense for {@code
   * max_inline_data} bytes.
   */
  private static final int MOST_BUFFERS = 4096;

  private static final ThreadLocal<Sge[]> ELEMENTS = ThreadLocal.withInitial(() -> new Sge[0]);

  private static QueuePairEx qp(long handle) {
    return QpBinding.get(handle).batch();
  }

  private static QueuePairEx qp(long handle, long wrId, long wrFlags) {
    return qp(handle).wrId(wrId).wrFlags((int) wrFlags);
  }

  static long wrAtomicCmpSwp(
      long handle, long id, long flags, long rkey, long remoteAddr, long operands) {
    qp(handle, id, flags)
        .wrAtomicCmpSwp(
            (int) rkey, remoteAddr, Host.getLong(operands), Host.getLong(operands + Long.BYTES));
    return 0;
  }

  static long wrAtomicFetchAdd(
      long handle, long id, long flags, long rkey, long remoteAddr, long add) {
    qp(handle, id, flags).wrAtomicFetchAdd((int) rkey, remoteAddr, add);
    return 0;
  }

  static long wrBindMw(long handle, long id, long flags, long mw, long rkey, long bindInfo) {
    HostNative.require("wrBindMw", "mw", mw, IbvMw.LAYOUT.size());
    HostNative.require("wrBindMw", "bind_info", bindInfo, IbvMwBindInfo.LAYOUT.size());
    qp(handle, id, flags).wrBindMw(MemoryCalls.mw(mw), (int) rkey, MemoryCalls.bindInfo(bindInfo));
    return 0;
  }

  static long wrLocalInv(long handle, long id, long flags, long invalidateRkey) {
    qp(handle, id, flags).wrLocalInv((int) invalidateRkey);
    return 0;
  }

  static long wrRdmaRead(long handle, long id, long flags, long rkey, long remoteAddr) {
    qp(handle, id, flags).wrRdmaRead((int) rkey, remoteAddr);
    return 0;
  }

  static long wrRdmaWrite(long handle, long id, long flags, long rkey, long remoteAddr) {
    qp(handle, id, flags).wrRdmaWrite((int) rkey, remoteAddr);
    return 0;
  }

  static long wrRdmaWriteImm(
      long handle, long id, long flags, long rkey, long remoteAddr, long immData) {
    qp(handle, id, flags).wrRdmaWriteImm((int) rkey, remoteAddr, (int) immData);
    return 0;
  }

  static long wrSend(long handle, long id, long flags) {
    qp(handle, id, flags).wrSend();
    return 0;
  }

  static long wrSendImm(long handle, long id, long flags, long immData) {
    qp(handle, id, flags).wrSendImm((int) immData);
    return 0;
  }

  static long wrSendInv(long handle, long id, long flags, long invalidateRkey) {
    qp(handle, id, flags).wrSendInv((int) invalidateRkey);
    return 0;
  }

  static long wrSendTso(long handle, long id, long flags, long hdr, long hdrSize, long mss) {
    qp(handle, id, flags).wrSendTso(HostNative.segment(hdr, hdrSize), (int) mss);
    return 0;
  }

  static long wrAtomicWrite(
      long handle, long id, long flags, long rkey, long remoteAddr, long value) {
    HostNative.require("wrAtomicWrite", "atomic_wr", value, Long.BYTES);
    qp(handle, id, flags).wrAtomicWrite((int) rkey, remoteAddr, Host.getLong(value));
    return 0;
  }

  static long wrFlush(long handle, long id, long flags, long rkey, long range) {
    qp(handle, id, flags)
        .wrFlush(
            (int) rkey,
            Host.getLong(range),
            Host.getLong(range + Long.BYTES),
            (int) Host.getLong(range + 2 * Long.BYTES),
            FlushLevel.of((int) Host.getLong(range + 3 * Long.BYTES)));
    return 0;
  }

  static long wrSetUdAddr(long handle, long ah, long remoteQpn, long remoteQkey) {
    AddressHandle destination = DomainCalls.ah(ah);
    if (destination != null) {
      qp(handle).wrSetUdAddr(destination, (int) remoteQpn, (int) remoteQkey);
    }
    // Without a buffer the request is incomplete, and is refused as such.
    return 0;
  }

  static long wrSetXrcSrqn(long handle, long remoteSrqn) {
    qp(handle).wrSetXrcSrqn((int) remoteSrqn);
    return 0;
  }

  static long wrSetSge(long handle, long lkey, long addr, long length) {
    qp(handle).wrSetSge((int) lkey, addr, Integer.toUnsignedLong((int) length));
    return 0;
  }

  static long wrSetSgeList(long handle, long count, long list) {
    QpBinding binding = QpBinding.get(handle);
    int length = clamped(count);
    Sge[] elements = SgList.read(ELEMENTS.get(), list, length, binding.maxSendSge(), false);
    ELEMENTS.set(elements);
    binding.batch().wrSetSgeList(length, elements);
    return 0;
  }

  static long wrSetInlineData(long handle, long addr, long length) {
    HostNative.require("wrSetInlineData", "data", addr, length);
    qp(handle).wrSetInlineData(Host.memory(), addr, length);
    return 0;
  }

  static long wrSetInlineDataList(long handle, long count, long list) {
    if (Long.compareUnsigned(count, MOST_BUFFERS) > 0) {
      throw new VerbsException(
          "wrSetInlineDataList", Errno.EINVAL, Long.toUnsignedString(count) + " buffers");
    }
    HostNative.require("wrSetInlineDataList", "buf_list", list, count * IbvDataBuf.LAYOUT.size());
    QpBinding binding = QpBinding.get(handle);
    MemorySegment gathered = binding.inline();
    long total = 0;
    for (long i = 0; i < count; i++) {
      long each = list + i * IbvDataBuf.LAYOUT.size();
      long addr = Host.getLong(each + IbvDataBuf.ADDR);
      long length = Host.getLong(each + IbvDataBuf.LENGTH);
      if (!Host.canHold(addr, length) || length > gathered.byteSize() - total) {
        throw new VerbsException(
            "wrSetInlineDataList",
            Errno.EINVAL,
            "buffer %d of %s bytes after %d; max_inline_data=%d"
                .formatted(i, Long.toUnsignedString(length), total, gathered.byteSize()));
      }
      MemorySegment.copy(Host.memory(), addr, gathered, total, length);
      total += length;
    }
    binding.batch().wrSetInlineData(gathered, 0, total);
    return 0;
  }

  /** Converts a size_t, which may be larger than any list. */
  private static int clamped(long count) {
    return count < 0 ? Integer.MAX_VALUE : (int) Math.min(count, Integer.MAX_VALUE);
  }

  private WrCalls() {}
}
