package dev.verbena.jcstress.keys;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Binding;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.Window;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.memory.Windows;
import dev.verbena.verbs.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A key table whose random source always says the same, so that keys are known beforehand. */
final class Table {
  /** What the source says: the slot, and the further bits of lkey and rkey. */
  static final int DRAWN = 0x1234_5678;

  static final Domain DOMAIN = new Domain();
  static final int RIGHTS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.MW_BIND;
  private static final MemorySegment MEMORY = Arena.global().allocate(64);

  private volatile int next = DRAWN;
  private final KeyTable keys = new KeyTable(() -> next);
  private final Windows windows = new Windows(keys);

  KeyTable keys() {
    return keys;
  }

  Windows windows() {
    return windows;
  }

  /** Changes what the source says. */
  void draws(int value) {
    next = value;
  }

  /** Registers memory that begins at this address. */
  Region register(long base) {
    Region region = keys.register(MEMORY, base, RIGHTS, DOMAIN);
    if (region == null) {
      throw new IllegalStateException("the table is full");
    }
    return region;
  }

  /** A window. */
  Window window(boolean type2) {
    Window window = windows.allocate(type2, DOMAIN, this);
    if (window == null) {
      throw new IllegalStateException("the table is full");
    }
    return window;
  }

  /** Binds a window with this tag to so many bytes of a region; whether that was possible. */
  boolean bind(Window window, int tag, Region region, int length, WindowOwner by) {
    Binding binding = new Binding();
    binding.set(window, tag, region.lkey(), region.base(), length, Access.REMOTE_WRITE);
    return windows.bind(binding, DOMAIN, by) == AccessFault.NONE;
  }

  /** Where a region begins; -1 if there is none, -2 if its parts do not belong together. */
  static long base(@Nullable Region region) {
    if (region == null) {
      return -1;
    }
    boolean whole =
        region.domain() == DOMAIN
            && region.access() == RIGHTS
            && region.memory().equals(MEMORY)
            && region.check(DOMAIN, RIGHTS, region.base(), 64) == AccessFault.NONE;
    return whole ? region.base() : -2;
  }
}
