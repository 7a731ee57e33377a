package dev.verbena.soft.memory;

import dev.verbena.verbs.Access;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The memory windows of a device: which are bound, to what, and through which queue pair (S5.3).
 * Look-ups go through the {@link KeyTable} without a lock; changes take this object's lock. Regions
 * to which windows may be bound are replaced and removed through this class.
 *
 * <p>A thread that looked a window up before may still be using it after it is unbound here; the
 * caller waits until none is.
 */
public final class Windows {
  private static final int WRITES = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;

  /** Rights that a memory window can have; LOCAL_WRITE is tolerated and grants nothing (S5.3.5). */
  private static final int RIGHTS =
      WRITES
          | Access.LOCAL_WRITE
          | Access.REMOTE_READ
          | Access.FLUSH_GLOBAL
          | Access.FLUSH_PERSISTENT
          | Access.ZERO_BASED
          | Access.OPTIONAL_RANGE;

  private final KeyTable keys;

  /** By the lkey of the region. */
  private final Map<Integer, Set<Window>> byTarget = new HashMap<>();

  /**
   * @param keys the device's keys
   */
  public Windows(KeyTable keys) {
    this.keys = keys;
  }

  /**
   * A new unbound window.
   *
   * @param holder represents the object that the application gets
   * @return the window, or null if the key table is full
   */
  public @Nullable Window allocate(boolean type2, Domain domain, Object holder) {
    return keys.add(key -> new Window(key, type2, domain, holder));
  }

  /** Ends a window, and unbinds it first. */
  public synchronized void free(Window window) {
    unbind(window);
    window.free();
    keys.remove(window);
  }

  /**
   * Binds a window, or unbinds one of type 1 by a length of 0.
   *
   * @param byDomain domain of the queue pair
   * @param by the queue pair
   * @return NONE, or the fault; then nothing has changed
   */
  public synchronized AccessFault bind(Binding binding, Domain byDomain, WindowOwner by) {
    Window window = binding.window();
    boolean type2 = window.isType2();
    if (window.isFreed() || (type2 && window.bound() != null)) {
      return AccessFault.WINDOW_STATE;
    }
    if (window.domain() != byDomain) {
      return AccessFault.FOREIGN_DOMAIN;
    }
    if (binding.length() == 0) {
      if (type2) {
        return AccessFault.ILLEGAL_BINDING;
      }
      unbind(window);
      return AccessFault.NONE;
    }
    Region region = keys.byLocalKey(binding.lkey());
    AccessFault fault = region == null ? AccessFault.UNKNOWN_KEY : check(binding, region, byDomain);
    if (region != null && fault == AccessFault.NONE) {
      unbind(window);
      window.bind(part(binding, region, type2 ? new Grant(by) : null), region.lkey());
      byTarget.computeIfAbsent(region.lkey(), lkey -> new HashSet<>()).add(window);
      if (type2) {
        by.windows().add(window);
      }
    }
    return fault;
  }

  /** The conditions of S5.3.5 on the region. */
  private static AccessFault check(Binding binding, Region region, Domain domain) {
    if (region.domain() != domain) {
      return AccessFault.FOREIGN_DOMAIN;
    }
    int rights = binding.access();
    int needed = Access.MW_BIND | ((rights & WRITES) != 0 ? Access.LOCAL_WRITE : 0);
    if ((region.access() & needed) != needed) {
      return AccessFault.MISSING_RIGHT;
    }
    if ((region.access() & Access.ZERO_BASED) != 0 || (rights & ~RIGHTS) != 0) {
      return AccessFault.ILLEGAL_BINDING;
    }
    return region.check(domain, 0, binding.addr(), binding.length());
  }

  private static Region part(Binding binding, Region region, @Nullable Grant grant) {
    boolean zeroBased = (binding.access() & Access.ZERO_BASED) != 0;
    return new Region(
        0,
        binding.window().key(binding.tag()),
        region.domain(),
        binding.access(),
        zeroBased ? 0 : binding.addr(),
        region.memory().asSlice(region.offset(binding.addr()), binding.length()),
        grant);
  }

  /**
   * Invalidates the type 2 window that has this key (S5.3.9).
   *
   * @param byDomain domain of the queue pair, or whose peer does
   * @param by the queue pair, whose window it must be by its {@link Grant}
   * @return NONE, or the fault; then nothing has changed
   */
  public synchronized AccessFault invalidate(int rkey, Domain byDomain, WindowOwner by) {
    Window window = keys.window(rkey);
    Region part = window == null ? null : window.boundBy(rkey);
    if (window == null || part == null) {
      return AccessFault.UNKNOWN_KEY;
    }
    if (window.domain() != byDomain) {
      return AccessFault.FOREIGN_DOMAIN;
    }
    Grant grant = part.grant();
    if (grant == null) {
      return AccessFault.WINDOW_STATE;
    }
    if (!grant.mayBeEndedBy(by)) {
      return AccessFault.FOREIGN_QUEUE_PAIR;
    }
    unbind(window);
    return AccessFault.NONE;
  }

  /** Unbinds all windows of a queue pair that ends or is reset (S5.3.12). */
  public synchronized void unbindAll(WindowOwner owner) {
    List.copyOf(owner.windows()).forEach(this::unbind);
  }

  /** The windows that are bound to a region. */
  public synchronized List<Window> boundTo(Region region) {
    return List.copyOf(byTarget.getOrDefault(region.lkey(), Set.of()));
  }

  /**
   * As {@link KeyTable#replace}, unless a window is bound to the region.
   *
   * @return whether it was done
   */
  public synchronized boolean replace(Region present, Region next) {
    if (!boundTo(present).isEmpty()) {
      return false;
    }
    keys.replace(present, next);
    return true;
  }

  /** As {@link KeyTable#remove}. Also unbinds windows that a concurrent request has just bound. */
  public synchronized void remove(Region region) {
    keys.remove(region);
    boundTo(region).forEach(this::unbind);
  }

  private void unbind(Window window) {
    Region part = window.bound();
    if (part == null) {
      return;
    }
    window.unbind();
    Grant grant = part.grant();
    if (grant != null) {
      grant.binder().windows().remove(window);
    }
    Set<Window> others = byTarget.get(window.target());
    if (others != null) {
      others.remove(window);
      if (others.isEmpty()) {
        byTarget.remove(window.target());
      }
    }
  }
}
