package dev.verbena.dropin;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The objects behind the handles in the program's structs. Looking up takes no lock; a handle is
 * used again once its object is gone, so a program that goes on using a destroyed object may come
 * upon another one, as it would come upon freed memory in C.
 */
final class Handles {
  /** What the shim passes for "none". */
  static final long NONE = -1;

  private static final int FIRST_SIZE = 64;

  private static volatile @Nullable Object[] objects = new Object[FIRST_SIZE];

  /** Of each object, in the same place, the context that it ends with. */
  private static @Nullable Context[] owners = new Context[FIRST_SIZE];

  private static final Deque<Integer> FREE = new ArrayDeque<>();
  private static int used;

  /**
   * A handle for an object.
   *
   * @param owner the context that it was made from, or that it is
   */
  static synchronized long add(Context owner, Object object) {
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

  /** Forgets an object. */
  static synchronized void remove(long handle) {
    objects[(int) handle] = null;
    owners[(int) handle] = null;
    FREE.add((int) handle);
  }

  /**
   * Forgets all objects of a context. Its program may close it and leave open what was made from
   * it; all that has ended with the context then.
   */
  static synchronized void removeAll(Context owner) {
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
  static <T> T get(long handle, HandleKind<T> kind) {
    @Nullable Object[] present = objects;
    if (handle >= 0 && handle < present.length) {
      Object object = present[(int) handle];
      if (kind.type().isInstance(object)) {
        return kind.type().cast(object);
      }
    }
    throw new VerbsException(
        "handle", Errno.EINVAL, handle + " is of no " + kind.text() + " that is there");
  }

  /** The object of a handle, or null for {@link #NONE}. */
  static <T> @Nullable T getIfGiven(long handle, HandleKind<T> kind) {
    return handle == NONE ? null : get(handle, kind);
  }

  private Handles() {}
}
