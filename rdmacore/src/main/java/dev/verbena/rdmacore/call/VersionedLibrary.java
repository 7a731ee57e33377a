package dev.verbena.rdmacore.call;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;

/**
 * A library whose functions have versions. A newer version of a function may take other structs
 * than those that this code fills in, and {@code dlsym} finds the newest, so functions are looked
 * up with the version that programs in C are linked with.
 */
final class VersionedLibrary {
  private static final int RTLD_NOW = 2;

  /** Not every C library has versions: musl has none, and there a function is in a library once. */
  private static final FunctionNative DLVSYM = FunctionNative.ofLibc("dlvsym");

  private static final FunctionNative DLOPEN = FunctionNative.ofLibc("dlopen");

  private final SymbolLookup newest;
  private final long handle;

  private VersionedLibrary(SymbolLookup newest, long handle) {
    this.newest = newest;
    this.handle = handle;
  }

  /**
   * Loads a library for the rest of the process's life.
   *
   * @param file its name, or the path of its file
   * @throws IllegalArgumentException if it cannot be loaded
   */
  static VersionedLibrary load(String file) {
    SymbolLookup newest = FunctionNative.library(file);
    try (Arena arena = Arena.ofConfined()) {
      long name = arena.allocateFrom(file).address();
      return new VersionedLibrary(newest, DLOPEN.call("dlopen", name, RTLD_NOW).value());
    }
  }

  /** An exported function in this version; a call fails if the library does not have it. */
  FunctionNative function(String name, String version) {
    if (!DLVSYM.exists() || handle == 0) {
      return FunctionNative.exported(newest, name);
    }
    try (Arena arena = Arena.ofConfined()) {
      long symbol = arena.allocateFrom(name).address();
      long ofVersion = arena.allocateFrom(version).address();
      long address = DLVSYM.call("dlvsym", handle, symbol, ofVersion).value();
      return FunctionNative.at(address == 0 ? name + "@" + version : name, address);
    }
  }
}
