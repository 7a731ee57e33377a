package dev.verbena.dropin;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.VerbsContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of the libibverbs.so.1 that this build made. It is loaded into this JVM, which the
 * library then uses. Objects are the addresses of their structs.
 */
final class Verbs {
  /** The device that the library opens. */
  static final String DEVICE = "soft:10.66.0.1?link=packet";

  private static @Nullable CLibraryNative library;

  /** The library; the test is skipped if the build could not make it. */
  static synchronized CLibraryNative library() {
    CLibraryNative present = library;
    if (present == null) {
      Path file = file();
      Path jvm = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");
      setEnvironment("VERBENA_LIBJVM", jvm.toString());
      setEnvironment("VERBENA_DEVICE", DEVICE);
      present = CLibraryNative.load(file);
      library = present;
    }
    return present;
  }

  /** Its file. */
  static Path file() {
    try {
      return NativeLibrary.folder().resolve("libibverbs.so.1");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets a variable for C; Java's own view of the environment cannot be changed. */
  private static void setEnvironment(String name, String value) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment cName = arena.allocateFrom(name);
      MemorySegment cValue = arena.allocateFrom(value);
      CLibraryNative.libc().call("setenv", cName.address(), cValue.address(), 1);
    }
  }

  /** Calls an exported function that returns a pointer or a size. */
  static long call(String name, long... arguments) {
    return library().call(name, arguments);
  }

  /** Calls an exported function that returns an int. */
  static int callInt(String name, long... arguments) {
    return (int) call(name, arguments);
  }

  /**
   * Does what an inline function of verbs.h does: calls the function that a struct points to at
   * this offset.
   */
  static long inline(long struct, long offset, long... arguments) {
    return CLibraryNative.call(MemorySegment.ofAddress(Host.getLong(struct + offset)), arguments);
  }

  /**
   * Does what an inline function of verbs.h does: calls an operation of the struct verbs_context.
   */
  static long operation(long context, long offset, long... arguments) {
    return inline(context - VerbsContext.CONTEXT, offset, arguments);
  }

  static int errno() {
    return CLibraryNative.errno();
  }

  private Verbs() {}
}
