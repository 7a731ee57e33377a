package dev.verbena.tck.torture;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.VerbsException;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a process may run out of. It causes that by itself, holds it for a while in which only its
 * engine thread works, and ends it.
 */
enum Shortage {
  /** The heap is full, but for some bytes. */
  HEAP {
    @Override
    void hold(long nanos, DeviceSpec spare) {
      long until = System.nanoTime() + nanos;
      int size = 1 << 20;
      try {
        while (System.nanoTime() - until < 0) {
          size = fill(size);
        }
      } catch (OutOfMemoryError e) {
        // Compiled code that goes back to the interpreter needs memory, too: it was full enough.
        return;
      } finally {
        HOG.clear();
      }
    }
  },
  /**
   * The system grants hardly more memory than the process has, so no great region can be allocated.
   * There is some left, because without any the JVM itself gives up.
   */
  NATIVE {
    @Override
    void hold(long nanos, DeviceSpec spare) throws IOException {
      long until = System.nanoTime() + nanos;
      try (Context context = Devices.open(spare);
          ProtectionDomain pd = context.allocPd()) {
        try (AddressSpaceNative _ = new AddressSpaceNative(HEADROOM)) {
          do {
            requireRefused(pd, Access.LOCAL_WRITE);
            requireRefused(pd, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
          } while (System.nanoTime() - until < 0);
        }
        pd.allocMr(1, Access.LOCAL_WRITE).close();
      }
    }
  },
  /** All descriptors are in use, and a device cannot be opened. */
  DESCRIPTORS {
    @Override
    void hold(long nanos, DeviceSpec spare) throws IOException {
      List<FileInputStream> files = new ArrayList<>();
      long until = System.nanoTime() + nanos;
      try {
        while (System.nanoTime() - until < 0) {
          if (!open(files)) {
            requireRefused(spare);
          }
        }
      } finally {
        for (FileInputStream file : files) {
          file.close();
        }
      }
      Devices.open(spare).close();
    }
  };

  /** Not a local variable, which compiled code may forget before the heap is full. */
  private static final List<byte[]> HOG = new ArrayList<>();

  private static final int LEAST = 16;

  /** Bytes of address space that a process may still take: enough for its JVM. */
  private static final int HEADROOM = 256 << 20;

  /**
   * Holds it.
   *
   * @param spare a device that nobody uses
   */
  abstract void hold(long nanos, DeviceSpec spare) throws IOException;

  /** Takes some bytes, and returns how many to try next. */
  private static int fill(int size) {
    try {
      HOG.add(new byte[size]);
      return size;
    } catch (OutOfMemoryError e) {
      return Math.max(LEAST, size / 2);
    }
  }

  private static void requireRefused(ProtectionDomain pd, int access) {
    try (MemoryRegion region = pd.allocMr(2L * HEADROOM, access)) {
      throw new AssertionError("without memory there is " + region);
    } catch (VerbsException e) {
      if (e.errno() != Errno.ENOMEM) {
        throw e;
      }
    }
  }

  private static boolean open(List<FileInputStream> files) {
    try {
      files.add(new FileInputStream("/dev/null"));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void requireRefused(DeviceSpec spare) {
    try (Context context = Devices.open(spare)) {
      throw new AssertionError("without descriptors there is " + context);
    } catch (VerbsException e) {
      // As it should be.
    }
  }
}
