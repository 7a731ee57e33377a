package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.post.Regions;
import dev.verbena.rdmacore.post.RegisteredMemory;
import dev.verbena.rdmacore.post.SendSides;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.provider.RegistrationRules;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The registration of memory with a device of libibverbs, which pins it. */
final class NativeMemoryRegion extends NativeRegion {
  /** Numbers of enum ibv_rereg_mr_err_code after which the region is as before. */
  private static final int INPUT = -1;

  private static final int FORK_OF_NEW_MEMORY = -2;

  /** The region has changed, and children of a fork do not get the old memory. */
  private static final int FORK_OF_OLD_MEMORY = -3;

  private final Registration registration;

  private NativeMemoryRegion(
      NativeProtectionDomain pd,
      MemorySegment memory,
      long addr,
      int access,
      @Nullable Arena arena,
      long address) {
    super(pd, access, rkey(address), address);
    this.registration =
        new Registration(
            handle(),
            pd.home().regions(),
            pd.home().sendSides(),
            new RegisteredMemory(lkey(address), memory, addr),
            arena);
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
    requireSamePlace(verb, "the address", memory.address(), iova);
    return register(verb, pd, memory, iova, access);
  }

  private static void check(
      String verb, NativeProtectionDomain pd, MemorySegment memory, int access) {
    requireRights(verb, pd, access);
    RegistrationRules.memory(verb, memory, access);
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
    if (answer.value() == 0 && answer.errno() == Errno.EINVAL) {
      requireOffered(verb, pd.home(), access);
    }
    return answer
        .locking()
        .pointer(verb, memory.byteSize() + " bytes with the rights " + hex(access) + " in " + pd);
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
    registration.enlist();
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

  private RegisteredMemory present(String verb) {
    lifetime().require(verb);
    return registration.memory();
  }

  @Override
  public MemorySegment memory() {
    return present("memory").memory();
  }

  @Override
  public long addr() {
    return present("addr").addr();
  }

  @Override
  public long length() {
    return present("length").memory().byteSize();
  }

  @Override
  public int lkey() {
    return present("lkey").lkey();
  }

  @Override
  public void rereg(
      int flags,
      @Nullable ProtectionDomain newPd,
      @Nullable MemorySegment newMemory,
      int... newAccess) {
    // This keeps it from ending meanwhile.
    synchronized (registration) {
      change("reregMr", flags, newPd, newMemory, Access.of(newAccess));
    }
  }

  private void change(
      String verb,
      int flags,
      @Nullable ProtectionDomain newPd,
      @Nullable MemorySegment newMemory,
      int newAccess) {
    RegisteredMemory old = present(verb);
    RegistrationRules.changes(verb, flags, newAccess);
    boolean moves = has(flags, ReregFlags.CHANGE_TRANSLATION);
    int rights = has(flags, ReregFlags.CHANGE_ACCESS) ? newAccess : access();
    MemorySegment memory =
        moves ? RegistrationRules.given(verb, newMemory, "memory") : old.memory();
    requireRights(verb, domain(), rights);
    RegistrationRules.memory(verb, memory, rights);
    NativeProtectionDomain oldPd = domain();
    NativeProtectionDomain nextPd = oldPd;
    if (has(flags, ReregFlags.CHANGE_PD)) {
      ProtectionDomain given = RegistrationRules.given(verb, newPd, "protection domain");
      nextPd = home().own(verb, given, NativeProtectionDomain.class);
    }
    if (!nextPd.equals(oldPd)) {
      move(verb, nextPd);
    }
    boolean isChanged = false;
    try (Handle.Use use = handle().use(verb);
        Handle.Use domain = nextPd.handle().use(verb)) {
      // From now on its keys may be another region's.
      registration.suspend();
      Answer answer =
          Functions.REREG_MR.call(
              verb,
              use.address(),
              flags,
              has(flags, ReregFlags.CHANGE_PD) ? domain.address() : 0,
              moves ? memory.address() : 0,
              moves ? memory.byteSize() : 0,
              newAccess);
      requireChanged(verb, moves ? answer.locking() : answer);
      isChanged = true;
      long addr = !moves ? old.addr() : has(rights, Access.ZERO_BASED) ? 0 : memory.address();
      changed(rights, rkey(use.address()));
      registration.replace(new RegisteredMemory(lkey(use.address()), memory, addr), moves);
    } finally {
      if (!isChanged) {
        registration.resume();
        if (!nextPd.equals(oldPd)) {
          move(verb, oldPd);
        }
      }
    }
  }

  private void requireChanged(String verb, Answer answer) {
    int result = (int) answer.value();
    if (result == 0 || result == FORK_OF_OLD_MEMORY) {
      return;
    }
    int errno = answer.errno() == 0 ? Errno.EIO : answer.errno();
    String rest =
        result == INPUT || result == FORK_OF_NEW_MEMORY
            ? "refuses to change " + this
            : "has failed to change " + this + ", which is of no further use if a driver says so";
    throw answer.error(verb, errno, rest);
  }

  private static boolean has(int flags, int flag) {
    return (flags & flag) != 0;
  }

  /** The library alone knows the windows that are bound to it. */
  @Override
  public void freeIfUnused() {
    registration.endUnlessRefused();
  }

  @Override
  public Runnable release() {
    return registration::end;
  }

  /** The part that the device reaches, which does not refer to the object. */
  private static final class Registration {
    private final Handle handle;
    private final Regions regions;
    private final SendSides senders;
    private volatile RegisteredMemory memory;

    /** Where requests find it. */
    private Regions.Place place = Regions.Place.EMPTY;

    /** The arena of memory that belongs to this region; null if the memory is the program's. */
    private @Nullable Arena arena;

    Registration(
        Handle handle,
        Regions regions,
        SendSides senders,
        RegisteredMemory memory,
        @Nullable Arena arena) {
      this.handle = handle;
      this.regions = regions;
      this.senders = senders;
      this.memory = memory;
      this.arena = arena;
    }

    RegisteredMemory memory() {
      return memory;
    }

    synchronized void enlist() {
      place = regions.add(memory);
    }

    synchronized void suspend() {
      place.suspend();
    }

    synchronized void resume() {
      place.resume();
    }

    synchronized void replace(RegisteredMemory next, boolean moves) {
      Regions.Place old = place;
      memory = next;
      enlist();
      old.end();
      if (moves) {
        // A thread that has found the old memory may be in a driver that reads it.
        senders.passAll();
        freeArena();
      }
    }

    /** Meanwhile its data cannot be copied inline, nor be a frame, even if it stays. */
    synchronized void endUnlessRefused() {
      place.suspend();
      try {
        handle.endUnlessRefused(senders::passAll);
      } finally {
        if (handle.present() == 0) {
          place.end();
        } else {
          place.resume();
        }
      }
    }

    /**
     * Keeps the memory, which the device reaches until the end: one that cannot be deregistered is
     * not freed.
     */
    synchronized void end() {
      handle.endingAfter(place::suspend, senders::passAll).run();
      place.end();
      freeArena();
    }

    private void freeArena() {
      Arena own = arena;
      if (own != null) {
        arena = null;
        own.close();
      }
    }
  }
}
