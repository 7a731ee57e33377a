package dev.verbena.soft.memory;

import org.jspecify.annotations.Nullable;

/** The binding of a memory window. Kept by its work request, and reused. */
public final class Binding {
  private @Nullable Window window;
  private int tag;
  private int lkey;
  private long addr;
  private long length;
  private int access;

  /** A binding of no window yet. */
  public Binding() {}

  /**
   * Sets all parts.
   *
   * @param what the window
   * @param newTag tag of the new key; the low 8 bits count
   * @param targetLkey key of the region; ignored without a length
   * @param start address in the region
   * @param bytes length; 0 unbinds a type 1 window
   * @param rights {@link dev.verbena.verbs.Access} bits
   */
  public void set(Window what, int newTag, int targetLkey, long start, long bytes, int rights) {
    window = what;
    tag = newTag;
    lkey = targetLkey;
    addr = start;
    length = bytes;
    access = rights;
  }

  /** The window. */
  public Window window() {
    if (window == null) {
      throw new IllegalStateException("a bind without a window");
    }
    return window;
  }

  int tag() {
    return tag;
  }

  int lkey() {
    return lkey;
  }

  long addr() {
    return addr;
  }

  long length() {
    return length;
  }

  int access() {
    return access;
  }
}
