package dev.verbena.dropin.object;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The objects behind the handles in the program's structs. A lookup takes no lock. A handle is
 * reused once its object is gone, so a program that keeps using a destroyed object may meet another
 * one, just as it may meet freed memory in C.
 */
public final class Handles {
  /** The value that the shim passes for "none". */
  static final long NONE = -1;

  private static final int FIRST_SIZE = 64;

  private static volatile @Nullable Object[] objects = new Object[FIRST_SIZE];

  /** The context with which the object at the same index ends. */
  private static @Nullable Context[] owners = new Context[FIRST_SIZE];

  private static final Deque<Integer> FREE = new ArrayDeque<>();
  private static int used;

  /**
   * A handle for an object.
   *
   * @param owner the context that it was created from, or the object itself if it is a context
   */
  public static synchronized long add(Context owner, Object object) {
    Integer free = FREE.poll();
    int handle = free == null ? used++ : free;
    @Nullable Object[] present = objects;
    if (handle == present.length) {
      present = Arrays.copyOf(present, 2 * present.length);
      owners = Arrays.copyOf(owners, present.length);
    }
    owners[handle] = owner;
    present[handle] = object;
    objects = present;
    return handle;
  }

  /** Removes an object. */
  public static synchronized void remove(long handle) {
    objects[(int) handle] = null;
    owners[(int) handle] = null;
    FREE.add((int) handle);
  }

  /**
   * Removes all objects of a context. The program may close a context and leave its objects open;
   * they all end with the context.
   */
  public static synchronized void removeAll(Context owner) {
    for (int handle = 0; handle < used; handle++) {
      if (owner.equals(owners[handle])) {
        remove(handle);
      }
    }
  }

  /**
   * The object of a handle.
   *
   * @throws VerbsException EINVAL if there is none of this kind
   */
  public static <T> T get(long handle, HandleKind<T> kind) {
    @Nullable Object[] present = objects;
    if (handle >= 0 && handle < present.length) {
      Object object = present[(int) handle];
      if (kind.type().isInstance(object)) {
        return kind.type().cast(object);
      }
    }
    throw new VerbsException(
        "handle", Errno.EINVAL, handle + " refers to no " + kind.text() + " that exists");
  }

  /** The object of a handle, or null for {@link #NONE}. */
  public static <T> @Nullable T getIfGiven(long handle, HandleKind<T> kind) {
    return handle == NONE ? null : get(handle, kind);
  }

  private Handles() {}
}
