package dev.verbena.soft.device.mr;

import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.link.Export;
import dev.verbena.soft.link.ExportableMemory;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.Window;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.RegistrationRules;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The registration of memory. */
public final class SoftMemoryRegion extends SoftRegion {
  private final Engine engine;
  private volatile OpenDomain pd;
  private volatile Region region;
  private final Registered registered;

  private SoftMemoryRegion(OpenDomain pd, Region region, @Nullable Arena arena, Export export) {
    super(pd, region);
    this.engine = pd.openContext().engine();
    this.pd = pd;
    this.region = region;
    this.registered = new Registered(engine, region.lkey(), arena, export);
  }

  public static SoftMemoryRegion register(OpenDomain pd, MemorySegment memory, int access) {
    String function = "regMr";
    pd.lifetime().require(function);
    int granted = RegistrationChecks.access(function, access);
    RegistrationChecks.memory(function, memory, granted);
    long base = (granted & Access.ZERO_BASED) != 0 ? 0 : memory.address();
    return register(function, pd, memory, base, granted, null, null);
  }

  public static SoftMemoryRegion registerAt(
      OpenDomain pd, MemorySegment memory, long iova, int access) {
    String function = "regMrIova";
    pd.lifetime().require(function);
    int granted = RegistrationChecks.access(function, access);
    RegistrationChecks.memory(function, memory, granted);
    RegistrationRules.iova(function, iova, memory.byteSize(), granted);
    return register(function, pd, memory, iova, granted, null, null);
  }

  public static SoftMemoryRegion allocate(OpenDomain pd, long bytes, int access) {
    String function = "allocMr";
    pd.lifetime().require(function);
    int granted = RegistrationChecks.access(function, access);
    Arena arena = Arena.ofShared();
    ExportableMemory exportable = exportable(pd, arena, bytes, granted);
    MemorySegment memory =
        exportable == null
            ? RegistrationRules.allocate(function, arena, bytes)
            : exportable.memory();
    long base = (granted & Access.ZERO_BASED) != 0 ? 0 : memory.address();
    return register(function, pd, memory, base, granted, arena, exportable);
  }

  /** Memory that other processes can map, or null if they need not or cannot. */
  private static @Nullable ExportableMemory exportable(
      OpenDomain pd, Arena arena, long bytes, int access) {
    Exports exports = pd.openContext().engine().exports();
    boolean isOfUse = bytes > 0 && (access & Exports.RIGHTS) != 0;
    return exports == null || !isOfUse ? null : exports.allocate(arena, bytes);
  }

  private static SoftMemoryRegion register(
      String function,
      OpenDomain pd,
      MemorySegment memory,
      long base,
      int access,
      @Nullable Arena arena,
      @Nullable ExportableMemory exportable) {
    Region region = pd.openContext().engine().keys().register(memory, base, access, pd.domain());
    if (region == null) {
      if (exportable != null) {
        exportable.keepPrivate();
      }
      if (arena != null) {
        arena.close();
      }
      throw pd.openContext().population().full(function, Kind.MR);
    }
    Export export =
        exportable == null
            ? Export.NONE
            : exportable.export(region.rkey(), base, access, pd.domain().number);
    SoftMemoryRegion mr = new SoftMemoryRegion(pd, region, arena, export);
    mr.lifetime().begin(function, List.of());
    return mr;
  }

  @Override
  public OpenDomain openPd() {
    return pd;
  }

  @Override
  Region registration() {
    return region;
  }

  @Override
  public void rereg(
      int flags,
      @Nullable ProtectionDomain newPd,
      @Nullable MemorySegment newMemory,
      int... access) {
    int newAccess = Access.of(access);
    // This keeps it from ending meanwhile.
    synchronized (registered) {
      change("reregMr", flags, newPd, newMemory, newAccess);
    }
  }

  private void change(
      String function,
      int flags,
      @Nullable ProtectionDomain newPd,
      @Nullable MemorySegment newMemory,
      int newAccess) {
    lifetime().require(function);
    RegistrationRules.changes(function, flags, newAccess);
    Region old = region;
    OpenDomain nextPd = nextPd(function, flags, newPd);
    int granted =
        has(flags, ReregFlags.CHANGE_ACCESS)
            ? RegistrationChecks.access(function, newAccess)
            : old.access();
    boolean moves = has(flags, ReregFlags.CHANGE_TRANSLATION);
    MemorySegment memory =
        moves ? RegistrationRules.given(function, newMemory, "memory") : old.memory();
    RegistrationChecks.memory(function, memory, granted);
    Region next =
        new Region(
            old.lkey(),
            old.rkey(),
            nextPd.domain(),
            granted,
            base(old, granted, moves, memory),
            memory);
    OpenDomain presentPd = pd;
    boolean changesPd = !nextPd.equals(presentPd);
    if (changesPd) {
      lifetime().move(function, nextPd.lifetime());
    }
    if (!engine.windows().replace(old, next)) {
      if (changesPd) {
        lifetime().move(function, presentPd.lifetime());
      }
      throw new VerbsException(
          function, Errno.EBUSY, lifetime().name() + " is in use: a memory window is bound to it");
    }
    pd = nextPd;
    region = next;
    // It is not exported again, because no program changes regions often.
    registered.quiesce(old.domain());
    if (moves) {
      registered.freeArena();
    }
  }

  private OpenDomain nextPd(String function, int flags, @Nullable ProtectionDomain newPd) {
    if (!has(flags, ReregFlags.CHANGE_PD)) {
      return pd;
    }
    ProtectionDomain given = RegistrationRules.given(function, newPd, "protection domain");
    return pd.openContext().own(function, given, OpenDomain.class);
  }

  /** New memory has its own addresses, or offsets; a change of rights alone keeps the addresses. */
  private static long base(Region old, int access, boolean moves, MemorySegment memory) {
    if (!moves) {
      return old.base();
    }
    return has(access, Access.ZERO_BASED) ? 0 : memory.address();
  }

  private static boolean has(int flags, int flag) {
    return (flags & flag) != 0;
  }

  /** The key by which binds find it, even if it is closed. */
  public int regionKey() {
    return region.lkey();
  }

  /** Identity of its protection domain. */
  public Domain domain() {
    return region.domain();
  }

  @Override
  public Collection<Lifetime> presentUsers() {
    List<Lifetime> windows = new ArrayList<>();
    for (Window bound : engine.windows().boundTo(region)) {
      SoftMemoryWindow mw = SoftMemoryWindow.of(bound);
      if (mw != null) {
        windows.add(mw.lifetime());
      }
    }
    return windows;
  }

  @Override
  public Runnable release() {
    return registered::end;
  }

  /** The part that the device holds, which does not refer to the object. */
  private static final class Registered {
    private final Engine engine;
    private final int lkey;

    /** The arena of memory that belongs to this region; null if the memory is the application's. */
    private @Nullable Arena arena;

    private final Export export;

    Registered(Engine engine, int lkey, @Nullable Arena arena, Export export) {
      this.engine = engine;
      this.lkey = lkey;
      this.arena = arena;
      this.export = export;
    }

    synchronized void end() {
      Region last = Objects.requireNonNull(engine.keys().byLocalKey(lkey));
      engine.windows().remove(last);
      quiesce(last.domain());
      freeArena();
    }

    /** Ends all use under the key that was removed, here and by peers in other processes. */
    void quiesce(Domain domain) {
      export.withdraw();
      engine.quiesce(domain);
      if (!export.equals(Export.NONE)) {
        engine.quiesceExports(domain);
      }
    }

    synchronized void freeArena() {
      Arena own = arena;
      if (own != null) {
        arena = null;
        own.close();
      }
    }
  }
}
