package dev.verbena.rdmacore.post;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvMw;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BoundKeysTest {
  private static final int FIRST = 0x1100;

  private final Arena arena = Arena.ofConfined();
  private final BoundKeys keys = new BoundKeys();

  /** A window with nothing but its struct. */
  private static final class Window implements NativeBindable {
    private long struct;

    Window(Arena arena) {
      struct = arena.allocate(IbvMw.LAYOUT.size(), Long.BYTES).address();
      Host.setInt(struct + IbvMw.RKEY, FIRST);
    }

    @Override
    public boolean isOf(Handle context) {
      return true;
    }

    @Override
    public long struct() {
      return struct;
    }

    int key() {
      return Host.getInt(struct + IbvMw.RKEY);
    }
  }

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void aRequestThatWasPostedLeavesItsKey() {
    Window window = new Window(arena);
    BoundKeys.store(window, FIRST + 1);
    assertThat(window.key()).isEqualTo(FIRST + 1);
  }

  @Test
  void aBatchThatWasPostedLeavesItsKeys() {
    Window[] windows = new Window[9];
    for (int i = 0; i < windows.length; i++) {
      windows[i] = new Window(arena);
      keys.add(windows[i], FIRST + i);
    }
    keys.keep();
    keys.undo();
    for (int i = 0; i < windows.length; i++) {
      assertThat(windows[i].key()).isEqualTo(FIRST + i);
    }
  }

  @Test
  void aBatchThatWasDiscardedLeavesNone() {
    Window one = new Window(arena);
    Window two = new Window(arena);
    keys.add(one, FIRST + 1);
    keys.add(two, FIRST + 2);
    keys.add(one, FIRST + 3);
    // The next request of the batch has to find the key of the one before.
    assertThat(one.key()).isEqualTo(FIRST + 3);
    keys.undo();
    assertThat(one.key()).isEqualTo(FIRST);
    assertThat(two.key()).isEqualTo(FIRST);
  }

  @Test
  void aWindowThatEndsMeanwhileIsLeftAlone() {
    Window window = new Window(arena);
    keys.add(window, FIRST + 1);
    long struct = window.struct;
    window.struct = 0;
    keys.undo();
    keys.add(window, FIRST + 2);
    BoundKeys.store(window, FIRST + 3);
    assertThat(Host.getInt(struct + IbvMw.RKEY)).isEqualTo(FIRST + 1);
  }
}
