package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvMr;
import dev.verbena.rdmacore.post.Regions;
import dev.verbena.rdmacore.post.RegisteredMemory;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.RegistrationRules;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The registration of memory with a device of libibverbs, which pins it. */
final class NativeMemoryRegion extends NativePdObject implements MemoryRegion {
  private final RegisteredMemory registered;
  private final int access;
  private final int rkey;
  private final @Nullable Arena arena;

  private NativeMemoryRegion(
      NativeProtectionDomain pd,
      MemorySegment memory,
      long addr,
      int access,
      @Nullable Arena arena,
      long address) {
    super(pd, Kind.MR, hex(lkey(address)), address, Functions.DEREG_MR);
    this.registered = new RegisteredMemory(lkey(address), memory, addr);
    this.access = access;
    this.arena = arena;
    this.rkey = Host.getInt(address + IbvMr.RKEY);
  }

  private static int lkey(long address) {
    return Host.getInt(address + IbvMr.LKEY);
  }

  private static String hex(int number) {
    return "0x" + Integer.toHexString(number);
  }

  static NativeMemoryRegion register(NativeProtectionDomain pd, MemorySegment memory, int access) {
    String verb = "regMr";
    check(verb, pd, memory, access);
    return register(verb, pd, memory, memory.address(), access);
  }

  static NativeMemoryRegion registerAt(
      NativeProtectionDomain pd, MemorySegment memory, long iova, int access) {
    String verb = "regMrIova";
    check(verb, pd, memory, access);
    RegistrationRules.iova(verb, iova, memory.byteSize(), access);
    return register(verb, pd, memory, iova, access);
  }

  private static void check(
      String verb, NativeProtectionDomain pd, MemorySegment memory, int access) {
    requireRights(verb, pd, access);
    RegistrationRules.memory(verb, memory, access);
  }

  private static void requireRights(String verb, NativeProtectionDomain pd, int access) {
    pd.lifetime().require(verb);
    RegistrationRules.access(verb, access);
    if ((access & (Access.FLUSH_GLOBAL | Access.FLUSH_PERSISTENT)) != 0) {
      throw pd.home().missing(verb, "rights to FLUSH");
    }
  }

  static NativeMemoryRegion allocate(NativeProtectionDomain pd, long bytes, int access) {
    String verb = "allocMr";
    requireRights(verb, pd, access);
    try (Handle.Use use = pd.handle().use(verb)) {
      Arena arena = Arena.ofShared();
      MemorySegment memory = RegistrationRules.allocate(verb, arena, bytes);
      long address;
      try {
        address = register(verb, pd, use, memory, memory.address(), access);
      } catch (RuntimeException e) {
        // Later the device may still have it, if it could not be deregistered.
        arena.close();
        throw e;
      }
      return region(verb, pd, memory, memory.address(), access, arena, address);
    }
  }

  private static NativeMemoryRegion register(
      String verb, NativeProtectionDomain pd, MemorySegment memory, long iova, int access) {
    try (Handle.Use use = pd.handle().use(verb)) {
      long address = register(verb, pd, use, memory, iova, access);
      return region(verb, pd, memory, iova, access, null, address);
    }
  }

  /** Registers it with the library; returns the struct. */
  private static long register(
      String verb,
      NativeProtectionDomain pd,
      Handle.Use use,
      MemorySegment memory,
      long iova,
      int access) {
    Answer answer =
        call(Functions.REG_MR_IOVA2, Functions.REG_MR, verb, use.address(), memory, iova, access);
    boolean full = answer.value() == 0 && answer.errno() == Errno.ENOMEM;
    return answer.pointer(
        verb,
        memory.byteSize()
            + " bytes with the rights "
            + hex(access)
            + " in "
            + pd
            + (full ? "; does ulimit -l (RLIMIT_MEMLOCK) allow to pin as many?" : ""));
  }

  /** The library has a region that is ZERO_BASED start at 0, whatever the address asked for. */
  private static NativeMemoryRegion region(
      String verb,
      NativeProtectionDomain pd,
      MemorySegment memory,
      long iova,
      int access,
      @Nullable Arena arena,
      long address) {
    long first = (access & Access.ZERO_BASED) == 0 ? iova : 0;
    NativeMemoryRegion region =
        undoing(
            () -> new NativeMemoryRegion(pd, memory, first, access, arena, address),
            () -> {
              Functions.DEREG_MR.call(verb, address).orThrow(verb, "to end a region");
              if (arena != null) {
                arena.close();
              }
            });
    return begin(region, verb, List.of());
  }

  @Override
  void enlist() {
    home().regions().add(registered);
  }

  /**
   * Registers memory.
   *
   * @param withIova the function that takes the address in work requests, which libraries before
   *     release 28 lack
   * @param plain the one that leaves it as it is
   */
  static Answer call(
      FunctionNative withIova,
      FunctionNative plain,
      String verb,
      long pd,
      MemorySegment memory,
      long iova,
      int access) {
    long start = memory.address();
    long bytes = memory.byteSize();
    return withIova.exists() || iova != start
        ? withIova.call(verb, pd, start, bytes, iova, access)
        : plain.call(verb, pd, start, bytes, access & ~Access.OPTIONAL_RANGE);
  }

  @Override
  public MemorySegment memory() {
    lifetime().require("memory");
    return registered.memory();
  }

  @Override
  public long addr() {
    lifetime().require("addr");
    return registered.addr();
  }

  @Override
  public long length() {
    lifetime().require("length");
    return registered.memory().byteSize();
  }

  @Override
  public int lkey() {
    lifetime().require("lkey");
    return registered.lkey();
  }

  @Override
  public int rkey() {
    lifetime().require("rkey");
    return rkey;
  }

  @Override
  public int access() {
    lifetime().require("access");
    return access;
  }

  @Override
  public void rereg(
      int flags,
      @Nullable ProtectionDomain newPd,
      @Nullable MemorySegment newMemory,
      int... newAccess) {
    throw home().missing("reregMr", "changes of a region");
  }

  @Override
  public void dereg() {
    lifetime().destroy();
  }

  @Override
  public Runnable release() {
    return ending(handle(), home().regions(), registered, arena);
  }

  /**
   * Keeps the memory, which the device reaches until the end: one that cannot be deregistered is
   * not freed.
   */
  private static Runnable ending(
      Handle handle, Regions regions, RegisteredMemory registered, @Nullable Arena arena) {
    Runnable ending = handle.endingAfter(() -> regions.remove(registered));
    return () -> {
      ending.run();
      if (arena != null) {
        arena.close();
      }
    };
  }
}
