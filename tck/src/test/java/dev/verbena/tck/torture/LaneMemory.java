package dev.verbena.tck.torture;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The memory of an end of a lane: slots, and the word that atomics change at the target. It can be
 * taken away while it is in use, unless it is the device's own.
 */
final class LaneMemory implements AutoCloseable {
  /** Whose memory it is. */
  enum Kind {
    /** The device's, so that a peer may map it. */
    OWN,
    /** An arena's. */
    ARENA,
    /** A mapped file's, which FLUSHes can make persistent. */
    FILE
  }

  /**
   * Where files are: in memory if there is such a folder, because a FLUSH may make a file
   * persistent, and a disk may take longer for that than a peer waits.
   */
  private static final Path FOLDER =
      Stream.of("/dev/shm", System.getProperty("java.io.tmpdir"))
          .map(Path::of)
          .filter(Files::isWritable)
          .findFirst()
          .orElseThrow();

  /** What half a file is a multiple of: no page is bigger. */
  private static final int PAGE = 1 << 16;

  private final ProtectionDomain pd;
  private final int access;
  private final int count;
  private final int size;
  private final long wordOffset;
  private Kind kind;
  private @Nullable Arena arena;
  private MemorySegment memory;
  private MemoryRegion region;
  private Slots slots;
  private @Nullable FileChannel file;
  private byte @Nullable [] last;

  LaneMemory(ProtectionDomain pd, int access, Kind kind, int count, int size) {
    this.pd = pd;
    this.access = access;
    this.kind = kind;
    this.count = count;
    this.size = size;
    // A word of an atomic is aligned.
    wordOffset = (Slots.bytes(count, size) + Long.BYTES - 1) & -Long.BYTES;
    region = register();
    memory = region.memory();
    slots = clearSlots();
  }

  private Slots clearSlots() {
    Slots clear = new Slots(region, memory, size);
    for (int i = 0; i < count; i++) {
      clear.clear(i);
    }
    return clear;
  }

  private MemoryRegion register() {
    if (kind == Kind.OWN) {
      arena = null;
      return pd.allocMr(bytes(), access);
    }
    Arena own = Arena.ofShared();
    arena = own;
    return pd.regMr(kind == Kind.FILE ? map(own) : own.allocate(bytes(), Long.BYTES), access);
  }

  MemoryRegion region() {
    return region;
  }

  Slots slots() {
    return slots;
  }

  /** Whether peers cannot reach it any more. */
  boolean isGone() {
    return region.isClosed() || !isReadable();
  }

  /** Whether its bytes can be looked at. */
  private boolean isReadable() {
    boolean exists = arena == null ? !region.isClosed() : arena.scope().isAlive();
    return exists && !isCut();
  }

  private boolean isCut() {
    return present() < bytes();
  }

  /** How many of its bytes no file lacks. */
  private long present() {
    try {
      return file == null ? bytes() : file.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long bytes() {
    return wordOffset + Long.BYTES;
  }

  /** Whether the bytes of a slot are still what the peer sees. */
  boolean has(int slot) {
    return !region.isClosed()
        && (arena == null || arena.scope().isAlive())
        && slots.offset(slot + 1) <= present();
  }

  /** The word that atomics change; 0 once it is lost. */
  long word() {
    return isReadable() ? memory.get(ValueLayout.JAVA_LONG, wordOffset) : 0;
  }

  /** Deregisters it; from now on it must not change. Not of the device's own memory. */
  void deregister() {
    region.dereg();
    last = memory.toArray(ValueLayout.JAVA_BYTE);
  }

  /** Closes the arena, if there is one, and leaves the memory registered. */
  void closeArena() {
    while (arena != null && arena.scope().isAlive()) {
      try {
        arena.close();
      } catch (IllegalStateException e) {
        // A system call that does not block is reading from it.
        Thread.onSpinWait();
      }
    }
  }

  /** Truncates the file to nothing; only of memory that was renewed as one. */
  void cutFile() {
    cutFile(0);
  }

  /** Truncates the file to its first half, or somewhat less. */
  void halveFile() {
    cutFile(bytes() / 2 & -PAGE);
  }

  private void cutFile(long left) {
    try {
      if (file == null) {
        throw new IllegalStateException("this memory is no file's");
      }
      file.truncate(left);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What has happened to it since it was deregistered that must not; or nothing. */
  String problem() {
    long changed = last == null ? -1 : memory.mismatch(MemorySegment.ofArray(last));
    return changed < 0 ? "" : "byte " + changed + " has changed after the deregistration";
  }

  /** Replaces it by new memory with the same word if it is gone, or of another kind. */
  void provide(Kind wanted) {
    if (isGone() || kind != wanted) {
      renew(wanted);
    }
  }

  private void renew(Kind wanted) {
    long word = word();
    close();
    last = null;
    kind = wanted;
    region = register();
    memory = region.memory();
    memory.set(ValueLayout.JAVA_LONG, wordOffset, word);
    slots = clearSlots();
  }

  private MemorySegment map(Arena of) {
    try {
      FileChannel channel =
          FileChannel.open(
              Files.createTempFile(FOLDER, "torture", ".memory"),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      file = channel;
      return channel.map(MapMode.READ_WRITE, 0, bytes(), of);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    region.close();
    closeArena();
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      file = null;
    }
  }
}
