package dev.verbena.dropin;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A Java program that uses libibverbs as a C library loaded by it would, and knows nothing of
 * Verbena: its class path has only the program itself.
 */
@SuppressWarnings("restricted")
final class JavaProgramNative {
  private static final AddressLayout LIST =
      ValueLayout.ADDRESS.withTargetLayout(ValueLayout.ADDRESS);

  private JavaProgramNative() {}

  public static void main(String[] args) throws Throwable {
    SymbolLookup library = SymbolLookup.libraryLookup("libibverbs.so.1", Arena.global());
    MemorySegment devices =
        (MemorySegment)
            function(library, "ibv_get_device_list", LIST).invokeExact(MemorySegment.NULL);
    MemorySegment first = devices.get(ValueLayout.ADDRESS, 0);
    MemorySegment context =
        (MemorySegment)
            function(library, "ibv_open_device", ValueLayout.ADDRESS).invokeExact(first);
    if (context.equals(MemorySegment.NULL)) {
      System.out.println("not opened");
      return;
    }
    int closed =
        (int) function(library, "ibv_close_device", ValueLayout.JAVA_INT).invokeExact(context);
    System.out.println(closed == 0 ? "ok" : "not closed");
  }

  private static MethodHandle function(SymbolLookup library, String name, MemoryLayout result) {
    return Linker.nativeLinker()
        .downcallHandle(
            library.findOrThrow(name), FunctionDescriptor.of(result, ValueLayout.ADDRESS));
  }
}
