package dev.verbena.tools.top;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The size of the terminal, if standard output is one. On other systems than Linux it is none. */
@SuppressWarnings("restricted")
final class TerminalNative {
  private static final int STDOUT = 1;
  private static final long TIOCGWINSZ = 0x5413;

  private TerminalNative() {}

  /**
   * A size in characters.
   *
   * @param rows 0 if it is no terminal
   */
  record Size(int rows, int columns) {
    static final Size NONE = new Size(0, 0);
  }

  /** The present size. */
  static Size size() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Size.NONE;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(4 * Short.BYTES);
      int failed = (int) Calls.IOCTL.invokeExact(STDOUT, TIOCGWINSZ, size);
      return failed != 0
          ? Size.NONE
          : new Size(
              Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, 0)),
              Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, Short.BYTES)));
    } catch (IllegalCallerException | LinkageError e) {
      // Native access is denied.
      return Size.NONE;
    } catch (Throwable e) {
      throw new IllegalStateException("ioctl", e);
    }
  }

  private static final class Calls {
    static final MethodHandle IOCTL =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("ioctl"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.ADDRESS),
                Linker.Option.firstVariadicArg(2));
  }
}
