package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.rdmacore.post.PostSide;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AdviseMrAdvice;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.DeviceMemory;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A protection domain of libibverbs: what it makes. */
sealed class NativeProtectionDomain extends NativeObject implements ProtectionDomain
    permits NativeParentDomain {
  private final SpareRegion spare = new SpareRegion(handle());

  private NativeProtectionDomain(NativeContext context, long address) {
    super(context, Kind.PD, address, Functions.DEALLOC_PD);
  }

  /** A parent domain of another one. */
  NativeProtectionDomain(NativeProtectionDomain below, long address) {
    super(
        below.home(),
        below.lifetime(),
        Kind.PARENT_DOMAIN,
        below.home().nextNumber(),
        address,
        Functions.DEALLOC_PD);
  }

  /** Whether several threads may use an object of this domain at once. */
  boolean locks() {
    return true;
  }

  /** The domain whose objects are used together with those of this one. */
  NativeProtectionDomain root() {
    return this;
  }

  /** What a window is bound to if a request names no region. */
  final SpareRegion spare() {
    return spare;
  }

  static NativeProtectionDomain alloc(NativeContext context) {
    return make(
        context,
        Kind.PD,
        "allocPd",
        Functions.ALLOC_PD,
        Functions.DEALLOC_PD,
        address -> new NativeProtectionDomain(context, address));
  }

  @Override
  public final MemoryRegion regMr(MemorySegment memory, int... access) {
    return NativeMemoryRegion.register(this, memory, Access.of(access));
  }

  @Override
  public final MemoryRegion regMrIova(MemorySegment memory, long iova, int... access) {
    return NativeMemoryRegion.registerAt(this, memory, iova, Access.of(access));
  }

  @Override
  public final MemoryRegion allocMr(long bytes, int... access) {
    return NativeMemoryRegion.allocate(this, bytes, Access.of(access));
  }

  @Override
  public final MemoryRegion allocNullMr() {
    return NativeUnmappedRegion.allocNull(this);
  }

  @Override
  public final MemoryRegion regDmabufMr(
      long offset, long length, long iova, int fd, int... access) {
    return NativeUnmappedRegion.registerDmabuf(this, offset, length, iova, fd, Access.of(access));
  }

  @Override
  public final MemoryRegion regDmMr(DeviceMemory dm, long dmOffset, long length, int... access) {
    return NativeUnmappedRegion.registerDm(this, dm, dmOffset, length, Access.of(access));
  }

  @Override
  public final void adviseMr(AdviseMrAdvice advice, int flags, Sge... list) {
    String verb = "adviseMr";
    lifetime().require(verb);
    FunctionNative advise = home().operations().extended("advise_mr", VerbsContext.ADVISE_MR);
    advise.require(verb);
    try (Handle.Use use = handle().use(verb);
        Arena arena = Arena.ofConfined()) {
      MemorySegment elements = arena.allocate(list.length * IbvSge.LAYOUT.size(), Long.BYTES);
      long out = elements.address();
      for (Sge sge : list) {
        if (sge.segment() != null) {
          throw new VerbsException(verb, Errno.EINVAL, sge + " is not registered: use mr.sge()");
        }
        PostSide.writeElement(out, sge.addr(), sge.length(), sge.lkey());
        out += IbvSge.LAYOUT.size();
      }
      advise
          .call(verb, use.address(), advice.number(), flags, elements.address(), list.length)
          .orThrow(
              verb,
              () ->
                  advice
                      + " with the flags "
                      + NativeRegion.hex(flags)
                      + " about "
                      + Arrays.toString(list));
    }
  }

  @Override
  public final MemoryWindow allocMw(MwType type) {
    MemoryWindow window = NativeMemoryWindow.alloc(this, type);
    try {
      root().spare().register();
    } catch (RuntimeException | Error e) {
      window.dealloc();
      throw e;
    }
    return window;
  }

  @Override
  public final QueuePair createQp(QpInitAttr attr) {
    return QueuePairFactory.create(this, attr);
  }

  @Override
  public final @Nullable QueuePair fromQpNum(int qpNum) {
    return QueuePairFactory.find(lifetime(), qpNum);
  }

  @Override
  public final AddressHandle createAh(AhAttr attr) {
    return NativeAddressHandle.create(this, attr);
  }

  @Override
  public final SharedReceiveQueue createSrq(SrqInitAttr attr) {
    return NativeSharedReceiveQueue.create(this, attr);
  }

  @Override
  public final void dealloc() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return handle().endingAfter(spare::end);
  }
}
