package dev.verbena.tck.torture;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/** A limit of this process's address space (RLIMIT_AS), for a while. Linux only. */
@SuppressWarnings("restricted")
final class AddressSpaceNative implements AutoCloseable {
  private static final int RLIMIT_AS = 9;
  private static final MethodHandle GETRLIMIT = function("getrlimit");
  private static final MethodHandle SETRLIMIT = function("setrlimit");

  private final Arena arena = Arena.ofConfined();
  private final MemorySegment limits = arena.allocate(2L * Long.BYTES, Long.BYTES);
  private final long before;

  /**
   * Sets the limit.
   *
   * @param headroom bytes more than the process has now
   */
  AddressSpaceNative(long headroom) throws IOException {
    call(GETRLIMIT);
    before = limits.get(ValueLayout.JAVA_LONG, 0);
    set(size() + headroom);
  }

  private static MethodHandle function(String name) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
  }

  private static long size() throws IOException {
    String line =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(l -> l.startsWith("VmSize:"))
            .findFirst()
            .orElseThrow();
    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
  }

  private void set(long bytes) {
    limits.set(ValueLayout.JAVA_LONG, 0, bytes);
    call(SETRLIMIT);
  }

  private void call(MethodHandle function) {
    int failed;
    try {
      failed = (int) function.invokeExact(RLIMIT_AS, limits);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (failed != 0) {
      throw new AssertionError("the limit of the address space cannot be read or set");
    }
  }

  @Override
  public void close() {
    set(before);
    arena.close();
  }
}
