package dev.verbena.rdmacore.call;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;

/**
 * A function of C on the control path. Almost all are called with six longs, since a start takes
 * longer with each different signature: a function sees neither surplus arguments nor the upper
 * half of an int argument.
 */
@SuppressWarnings("restricted")
public final class FunctionNative {
  private static final int ARGUMENTS = 6;
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO =
      STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle CALL =
      LINKER.downcallHandle(
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              Collections.nCopies(ARGUMENTS, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new)),
          Linker.Option.captureCallState("errno"));

  private final String name;
  private final MemorySegment code;

  private FunctionNative(String name, MemorySegment code) {
    this.name = name;
    this.code = code;
  }

  /** A library, loaded for the rest of the process's life, by its name or the path of its file. */
  static SymbolLookup library(String file) {
    return file.contains("/")
        ? SymbolLookup.libraryLookup(Path.of(file), Arena.global())
        : SymbolLookup.libraryLookup(file, Arena.global());
  }

  /** An exported function; a call fails if the library does not have it. */
  static FunctionNative exported(SymbolLookup library, String name) {
    return new FunctionNative(name, library.find(name).orElse(MemorySegment.NULL));
  }

  /** A function of the C library. */
  public static FunctionNative ofLibc(String name) {
    return exported(LINKER.defaultLookup(), name);
  }

  /** A function to which a struct of a library points; 0 if it does not. */
  public static FunctionNative at(String name, long address) {
    return new FunctionNative(name, MemorySegment.ofAddress(address));
  }

  /** Whether the library has it. */
  public boolean exists() {
    return code.address() != 0;
  }

  /**
   * Does nothing if the library has it: for a caller that looks at arguments first.
   *
   * @param verb the verb, for the error
   * @throws VerbsException EOPNOTSUPP if the library does not have it
   */
  public void require(String verb) {
    if (!exists()) {
      throw new VerbsException(
          verb, Errno.EOPNOTSUPP, "this libibverbs, or its driver of the device, has no " + name);
    }
  }

  /**
   * Calls it.
   *
   * @param verb the verb, for the error
   * @throws VerbsException EOPNOTSUPP if the library does not have it
   */
  public Answer call(String verb, long... arguments) {
    require(verb);
    long[] all = Arrays.copyOf(arguments, ARGUMENTS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long value =
          (long) CALL.invokeExact(code, state, all[0], all[1], all[2], all[3], all[4], all[5]);
      return new Answer(name, value, state.get(ValueLayout.JAVA_INT, ERRNO));
    } catch (Throwable e) {
      throw broken(name, e);
    }
  }

  /**
   * Calls a function that returns 0 or an error number: for one that is called often.
   *
   * @param verb the verb, for the error
   * @throws VerbsException EOPNOTSUPP if the library does not have it
   */
  public Answer callForStatus(String verb, long first, long second, long third, long fourth) {
    require(verb);
    try {
      int result = (int) ForStatus.CALL.invokeExact(code, first, second, third, fourth);
      return new Answer(name, DataPathNative.status(result), 0);
    } catch (Throwable e) {
      throw broken(name, e);
    }
  }

  /** Its name, with the version that the library lacks if it lacks the function. */
  @Override
  public String toString() {
    return name;
  }

  /** Made by the first call. */
  private static final class ForStatus {
    static final MethodHandle CALL =
        LINKER.downcallHandle(
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG));
  }

  /** A downcall throws only because of an error in this code. */
  static RuntimeException broken(String function, Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return new IllegalStateException(function + ": the call could not be made", cause);
  }
}
