package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.rdmacore.post.SendSides;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.DeviceMemory;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.RegistrationRules;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A region that is no memory of this process: of a dma-buf, of device memory, or of nothing, as
 * that of ibv_alloc_null_mr.
 */
final class NativeUnmappedRegion extends NativeRegion {
  private static final String ALLOC_NULL = "allocNullMr";
  private static final String REG_DM = "regDmMr";

  /** Those that the kernel takes for a dma-buf. */
  private static final int DMABUF_RIGHTS =
      Access.LOCAL_WRITE
          | Access.REMOTE_READ
          | Access.REMOTE_WRITE
          | Access.REMOTE_ATOMIC
          | Access.RELAXED_ORDERING;

  private final long addr;
  private final long length;
  private final int lkey;
  private final boolean isNull;
  private final SendSides senders;

  private NativeUnmappedRegion(
      NativeProtectionDomain pd, long addr, long length, int access, boolean isNull, long address) {
    super(pd, access, isNull ? 0 : rkey(address), address);
    this.addr = addr;
    this.length = length;
    this.lkey = lkey(address);
    this.isNull = isNull;
    this.senders = pd.home().sendSides();
  }

  static NativeUnmappedRegion allocNull(NativeProtectionDomain pd) {
    pd.lifetime().require(ALLOC_NULL);
    FunctionNative alloc =
        pd.home().operations().extended("alloc_null_mr", VerbsContext.ALLOC_NULL_MR);
    try (Handle.Use use = pd.handle().use(ALLOC_NULL)) {
      long address =
          alloc.call(ALLOC_NULL, use.address()).pointer(ALLOC_NULL, "another null region in " + pd);
      return make(
          address,
          ALLOC_NULL,
          Functions.DEREG_MR,
          () ->
              new NativeUnmappedRegion(
                  pd, 0, Long.MAX_VALUE, Access.LOCAL_WRITE, /* isNull= */ true, address),
          List.of());
    }
  }

  /** As {@link ProtectionDomain#regDmabufMr}. */
  static NativeUnmappedRegion registerDmabuf(
      NativeProtectionDomain pd, long offset, long length, long iova, int fd, int access) {
    String verb = "regDmabufMr";
    pd.lifetime().require(verb);
    Functions.REG_DMABUF_MR.require(verb);
    RegistrationRules.access(verb, access);
    int others = access & ~DMABUF_RIGHTS & ~Access.OPTIONAL_RANGE;
    if (others != 0) {
      throw new VerbsException(
          verb,
          Errno.EINVAL,
          "a dma-buf has the rights LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE, REMOTE_ATOMIC and"
              + " RELAXED_ORDERING only, not "
              + hex(others));
    }
    requirePart(verb, offset, length, Long.MAX_VALUE, "a dma-buf");
    RegistrationRules.iova(verb, iova, length, access);
    requireSamePlace(verb, "the offset", offset, iova);
    int rights = access & DMABUF_RIGHTS;
    try (Handle.Use use = pd.handle().use(verb)) {
      Answer answer =
          Functions.REG_DMABUF_MR.call(verb, use.address(), offset, length, iova, fd, rights);
      return region(
          verb, pd, answer, iova, length, access, "the dma-buf of descriptor " + fd, List.of());
    }
  }

  /** As {@link ProtectionDomain#regDmMr}. */
  static NativeUnmappedRegion registerDm(
      NativeProtectionDomain pd, DeviceMemory dm, long dmOffset, long length, int access) {
    pd.lifetime().require(REG_DM);
    FunctionNative register = pd.home().operations().extended("reg_dm_mr", VerbsContext.REG_DM_MR);
    register.require(REG_DM);
    NativeDeviceMemory.requireSize(REG_DM, pd.home());
    RegistrationRules.access(REG_DM, access);
    NativeDeviceMemory own = pd.home().own(REG_DM, dm, NativeDeviceMemory.class);
    own.lifetime().require(REG_DM);
    requirePart(REG_DM, dmOffset, length, own.length(), own.toString());
    if ((access & Access.ZERO_BASED) == 0) {
      throw new VerbsException(
          REG_DM, Errno.EINVAL, "device memory has no address: add ZERO_BASED to the rights");
    }
    try (Handle.Use use = pd.handle().use(REG_DM);
        Handle.Use memory = own.handle().use(REG_DM)) {
      Answer answer =
          register.call(REG_DM, use.address(), memory.address(), dmOffset, length, access);
      return region(REG_DM, pd, answer, 0, length, access, own.toString(), List.of(own.lifetime()));
    }
  }

  /** Checks that there is at least one byte, and that all are inside something this long. */
  private static void requirePart(String verb, long offset, long length, long whole, String what) {
    if (length == 0) {
      throw new VerbsException(verb, Errno.EINVAL, "a region of " + what + " has at least 1 byte");
    }
    requireInside(verb, offset, length, whole, what);
  }

  /** Checks that bytes, if there are any, are inside something this long. */
  static void requireInside(String verb, long offset, long length, long whole, String what) {
    if (offset < 0 || length < 0 || offset > whole - length) {
      throw new VerbsException(
          verb, Errno.EINVAL, length + " bytes at offset " + offset + " are not inside " + what);
    }
  }

  /** The region that the library has made, or why it has not. */
  private static NativeUnmappedRegion region(
      String verb,
      NativeProtectionDomain pd,
      Answer answer,
      long addr,
      long length,
      int access,
      String what,
      List<Lifetime> uses) {
    if (answer.value() == 0 && answer.errno() == Errno.EINVAL) {
      requireOffered(verb, pd.home(), access);
    }
    long address =
        answer.pointer(
            verb,
            () -> length + " bytes of " + what + " with the rights " + hex(access) + " in " + pd);
    return make(
        address,
        verb,
        Functions.DEREG_MR,
        () -> new NativeUnmappedRegion(pd, addr, length, access, /* isNull= */ false, address),
        uses);
  }

  @Override
  public MemorySegment memory() {
    lifetime().require("memory");
    return MemorySegment.NULL;
  }

  @Override
  public long addr() {
    lifetime().require("addr");
    return addr;
  }

  @Override
  public long length() {
    lifetime().require("length");
    return length;
  }

  @Override
  public int lkey() {
    lifetime().require("lkey");
    return lkey;
  }

  /** No window can be bound to a null region. */
  @Override
  public boolean isOf(Handle context) {
    return !isNull && super.isOf(context);
  }

  @Override
  public void rereg(
      int flags,
      @Nullable ProtectionDomain newPd,
      @Nullable MemorySegment newMemory,
      int... newAccess) {
    lifetime().require("reregMr");
    throw new VerbsException(
        "reregMr",
        Errno.EINVAL,
        this
            + (isNull
                ? " is a null region: there is nothing to change"
                : " is no memory of this process: register it again"));
  }

  /** The library alone knows the windows that are bound to it. */
  @Override
  public void freeIfUnused() {
    handle().endUnlessRefused(senders::passAll);
  }

  @Override
  public Runnable release() {
    return handle().endingAfter(senders::passAll);
  }
}
