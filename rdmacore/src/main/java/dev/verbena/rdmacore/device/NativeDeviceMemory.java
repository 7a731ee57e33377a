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

  private NativeDeviceMemory(
      NativeContext context, long length, long address, FunctionNative free) {
    super(context, Kind.DM, address, free);
    this.length = length;
  }

  static NativeDeviceMemory alloc(NativeContext context, long length, int logAlignReq) {
    context.lifetime().require(ALLOC);
    FunctionNative alloc = context.operations().extended("alloc_dm", VerbsContext.ALLOC_DM);
    FunctionNative free = context.operations().extended("free_dm", VerbsContext.FREE_DM);
    alloc.require(ALLOC);
    if (length < 1 || logAlignReq < 0) {
      throw new VerbsException(
          ALLOC, Errno.EINVAL, length + " bytes with log_align_req=" + logAlignReq);
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

  @Override
  public long length() {
    lifetime().require("length");
    return length;
  }

  /** The driver gets native memory of this call, so that no other thread can free it meanwhile. */
  @Override
  public void memcpyTo(long dmOffset, MemorySegment source) {
    String verb = "memcpyTo";
    try (Handle.Use use = part(verb, dmOffset, source);
        Arena arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocate(source.byteSize(), Long.BYTES).copyFrom(source);
      FunctionNative.at("memcpy_to_dm", Host.getLong(use.address() + IbvDm.MEMCPY_TO_DM))
          .call(verb, use.address(), dmOffset, host.address(), host.byteSize())
          .orThrow(verb, () -> what(host, dmOffset));
    }
  }

  @Override
  public void memcpyFrom(MemorySegment target, long dmOffset) {
    String verb = "memcpyFrom";
    try (Handle.Use use = part(verb, dmOffset, target);
        Arena arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocate(target.byteSize(), Long.BYTES);
      FunctionNative.at("memcpy_from_dm", Host.getLong(use.address() + IbvDm.MEMCPY_FROM_DM))
          .call(verb, host.address(), use.address(), dmOffset, host.byteSize())
          .orThrow(verb, () -> what(host, dmOffset));
      target.copyFrom(host);
    }
  }

  /** Begins a call about as many bytes as a segment has. */
  private Handle.Use part(String verb, long dmOffset, MemorySegment segment) {
    lifetime().require(verb);
    NativeUnmappedRegion.requirePart(verb, dmOffset, segment.byteSize(), length, toString());
    return handle().use(verb);
  }

  private String what(MemorySegment host, long dmOffset) {
    return "to copy " + host.byteSize() + " bytes at offset " + dmOffset + " of " + this;
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
