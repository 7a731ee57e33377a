package dev.verbena.rdmacore.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.rdmacore.host.Host;
import java.lang.foreign.Arena;

/** A pipe of the C library: descriptors without a device behind them. */
final class Pipe implements AutoCloseable {
  private static final FunctionNative PIPE = FunctionNative.ofLibc("pipe");
  private static final FunctionNative WRITE = FunctionNative.ofLibc("write");
  private static final FunctionNative CLOSE = FunctionNative.ofLibc("close");
  private static final FunctionNative DUP = FunctionNative.ofLibc("dup2");

  /** The end to read from. */
  final int from;

  private final int to;
  private boolean fromIsClosed;
  private boolean toIsClosed;

  Pipe() {
    try (Arena arena = Arena.ofConfined()) {
      long ends = arena.allocate(2L * Integer.BYTES, Integer.BYTES).address();
      PIPE.call("pipe", ends).orThrow("pipe", "another one");
      from = Host.getInt(ends);
      to = Host.getInt(ends + Integer.BYTES);
    }
  }

  /** Makes the end to read from readable. */
  void fill() {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(WRITE.call("write", to, arena.allocate(1).address(), 1).value()).isOne();
    }
  }

  /** Lets this descriptor be the end to read from as well. */
  void replace(int other) {
    assertThat((int) DUP.call("dup2", from, other).value()).isEqualTo(other);
  }

  void closeFrom() {
    if (!fromIsClosed) {
      fromIsClosed = true;
      CLOSE.call("close", from);
    }
  }

  void closeTo() {
    if (!toIsClosed) {
      toIsClosed = true;
      CLOSE.call("close", to);
    }
  }

  @Override
  public void close() {
    closeFrom();
    closeTo();
  }
}
