package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvMw;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of windows of type 2 that requests to bind have changed. A driver may want to find the
 * latest in the struct (rxe's does), where the library leaves it to the program to store it.
 */
public final class BoundKeys {
  private static final int ROOM = 4;

  private @Nullable NativeBindable[] windows = new NativeBindable[0];
  private int[] keysBefore = new int[0];
  private int count;

  /** Stores the key that a request has bound a window to; the caller is inside the side's lock. */
  public static void store(NativeBindable window, int key) {
    long struct = window.struct();
    if (struct != 0) {
      Host.setInt(struct + IbvMw.RKEY, key);
    }
  }

  /** Stores the key of a request of a batch, which may yet be discarded. */
  public void add(NativeBindable window, int key) {
    long struct = window.struct();
    if (struct == 0) {
      return;
    }
    if (count == windows.length) {
      windows = Arrays.copyOf(windows, count + ROOM);
      keysBefore = Arrays.copyOf(keysBefore, count + ROOM);
    }
    windows[count] = window;
    keysBefore[count++] = Host.getInt(struct + IbvMw.RKEY);
    Host.setInt(struct + IbvMw.RKEY, key);
  }

  /** The batch was posted. */
  public void keep() {
    while (count > 0) {
      windows[--count] = null;
    }
  }

  /** The batch was discarded. */
  public void undo() {
    while (count > 0) {
      NativeBindable window = windows[--count];
      windows[count] = null;
      if (window != null) {
        store(window, keysBefore[count]);
      }
    }
  }
}
