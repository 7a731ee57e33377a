package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAllocDmAttr;
import dev.verbena.rdmacore.layout.IbvDm;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.DeviceMemory;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Memory of an adapter. */
final class NativeDeviceMemory extends NativeObject implements DeviceMemory {
  private static final String ALLOC = "allocDm";

  private final long length;
  private final FunctionNative memcpyTo;
  private final FunctionNative memcpyFrom;

  /** Where a driver copies from and to, one copy at a time: no other thread can free it. */
  private final MemorySegment stage;

  private final Object copying = new Object();

  private NativeDeviceMemory(
      NativeContext context, long length, long address, FunctionNative free) {
    super(context, Kind.DM, address, free);
    this.length = length;
    this.memcpyTo = FunctionNative.at("memcpy_to_dm", Host.getLong(address + IbvDm.MEMCPY_TO_DM));
    this.memcpyFrom =
        FunctionNative.at("memcpy_from_dm", Host.getLong(address + IbvDm.MEMCPY_FROM_DM));
    this.stage = Arena.ofAuto().allocate(length, Long.BYTES);
  }

  static NativeDeviceMemory alloc(NativeContext context, long length, int logAlignReq) {
    context.lifetime().require(ALLOC);
    FunctionNative alloc = context.operations().extended("alloc_dm", VerbsContext.ALLOC_DM);
    FunctionNative free = context.operations().extended("free_dm", VerbsContext.FREE_DM);
    alloc.require(ALLOC);
    long most = requireSize(ALLOC, context);
    if (length < 1 || length > most || logAlignReq < 0) {
      throw new VerbsException(
          ALLOC,
          Errno.EINVAL,
          length + " bytes, of max_dm_size=" + most + ", with log_align_req=" + logAlignReq);
    }
    try (Handle.Use use = context.handle().use(ALLOC);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvAllocDmAttr.LAYOUT.size(), Long.BYTES).address();
      Host.setLong(in + IbvAllocDmAttr.LENGTH, length);
      Host.setInt(in + IbvAllocDmAttr.LOG_ALIGN_REQ, logAlignReq);
      long address =
          alloc
              .call(ALLOC, use.address(), in)
              .pointer(ALLOC, length + " bytes of the memory of " + context.device().name());
      return make(
          address,
          ALLOC,
          free,
          () -> new NativeDeviceMemory(context, length, address, free),
          List.of());
    }
  }

  /** How much a device has, if it has any. */
  static long requireSize(String verb, NativeContext context) {
    long size = context.queryDeviceEx().maxDmSize();
    if (size == 0) {
      throw new VerbsException(
          verb, Errno.EOPNOTSUPP, context.device().name() + " has no memory: max_dm_size is 0");
    }
    return size;
  }

  @Override
  public long length() {
    lifetime().require("length");
    return length;
  }

  @Override
  public void memcpyTo(long dmOffset, MemorySegment source) {
    String verb = "memcpyTo";
    long bytes = source.byteSize();
    try (Handle.Use use = part(verb, dmOffset, bytes)) {
      synchronized (copying) {
        copy(verb, source, stage, bytes);
        memcpyTo
            .callForStatus(verb, use.address(), dmOffset, stage.address(), bytes)
            .orThrow(verb, () -> what(bytes, dmOffset));
      }
    }
  }

  @Override
  public void memcpyFrom(MemorySegment target, long dmOffset) {
    String verb = "memcpyFrom";
    long bytes = target.byteSize();
    try (Handle.Use use = part(verb, dmOffset, bytes)) {
      if (target.isReadOnly()) {
        throw new VerbsException(verb, Errno.EINVAL, "the target is read-only");
      }
      synchronized (copying) {
        memcpyFrom
            .callForStatus(verb, stage.address(), use.address(), dmOffset, bytes)
            .orThrow(verb, () -> what(bytes, dmOffset));
        copy(verb, stage, target, bytes);
      }
    }
  }

  /** Begins a call about so many bytes. */
  private Handle.Use part(String verb, long dmOffset, long bytes) {
    lifetime().require(verb);
    NativeUnmappedRegion.requireInside(verb, dmOffset, bytes, length, toString());
    return handle().use(verb);
  }

  private static void copy(String verb, MemorySegment from, MemorySegment to, long bytes) {
    try {
      MemorySegment.copy(from, 0, to, 0, bytes);
    } catch (IllegalStateException | InternalError e) {
      throw new VerbsException(
          verb, Errno.EINVAL, "the segment's memory is gone: closed, or a file cut short", e);
    } catch (WrongThreadException e) {
      throw new VerbsException(
          verb, Errno.EINVAL, "the segment belongs to another thread's confined arena", e);
    }
  }

  private String what(long bytes, long dmOffset) {
    return "to copy " + bytes + " bytes at offset " + dmOffset + " of " + this;
  }

  @Override
  public void free() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return handle()::end;
  }
}
