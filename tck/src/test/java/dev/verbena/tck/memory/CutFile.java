package dev.verbena.tck.memory;

import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A mapped file that is truncated while its memory is registered. Addresses from {@link #HOLE} on
 * then have no memory, and an access there is a bus error.
 *
 * @param file the file
 * @param arena of the mapping
 * @param memory all of the mapping
 */
record CutFile(FileChannel file, Arena arena, MemorySegment memory) implements AutoCloseable {
  /** Where memory ends once the file is truncated; a page of any computer ends there. */
  static final long HOLE = 64 << 10;

  private static final int RIGHTS =
      PairSetup.REMOTE_ALL | Access.FLUSH_GLOBAL | Access.FLUSH_PERSISTENT;

  /** A mapped file in full length. */
  static CutFile create() {
    Arena arena = Arena.ofShared();
    try {
      Path path = Files.createTempFile("cut", null);
      FileChannel file =
          FileChannel.open(
              path,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      return new CutFile(file, arena, file.map(MapMode.READ_WRITE, 0, 2 * HOLE, arena));
    } catch (IOException e) {
      arena.close();
      throw new UncheckedIOException(e);
    }
  }

  /** Registers all of it. */
  MemoryRegion register(QpEnd end) {
    return end.pd().regMr(memory, Access.LOCAL_WRITE, RIGHTS);
  }

  /** Makes the hole. */
  void cut() {
    try {
      file.truncate(HOLE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Unmaps it; no region of it is left. */
  @Override
  public void close() {
    arena.close();
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
