package dev.verbena.soft.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.Access;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Accesses beyond the end of a truncated mapped file. Each is reported where it was made, from the
 * first, which is interpreted, to the last, which is compiled together with its callers.
 */
class LateErrorsTest {
  private static final int HOLE = 64 << 10;
  private static final int ROUNDS = 4_000;
  private static final int GOOD_PER_ROUND = 5;

  @TempDir private Path folder;
  private final Arena arena = Arena.ofShared();
  private MemorySegment file = MemorySegment.NULL;
  private Region region;

  @BeforeEach
  void cutTheFile() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            Files.createTempFile(folder, "cut", null),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      file = channel.map(MapMode.READ_WRITE, 0, 2 * HOLE, arena);
      region =
          new KeyTable(new Random(1)::nextInt).register(file, 0, Access.LOCAL_WRITE, new Domain());
      channel.truncate(HOLE);
    }
  }

  @AfterEach
  void unmap() {
    arena.close();
  }

  private static SpanList span(MemorySegment memory, long offset, long length) {
    SpanList list = new SpanList();
    list.add(memory, offset, length);
    return list;
  }

  private static void eachTime(BooleanSupplier works, BooleanSupplier noticed) {
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < GOOD_PER_ROUND; i++) {
        if (!works.getAsBoolean()) {
          throw new AssertionError("good memory in round " + round);
        }
      }
      if (!noticed.getAsBoolean()) {
        throw new AssertionError("not noticed in round " + round);
      }
    }
  }

  @Test
  void aCopyFromOrIntoTheHoleSaysSoAtOnce() {
    MemorySegment good = arena.allocate(HOLE);
    for (int length : new int[] {1, 8, 63, 64, 500, 5000}) {
      for (boolean ends : new boolean[] {false, true}) {
        SpanList here = span(good, 0, length);
        SpanList there = span(file, 0, length);
        SpanList hole = span(file, HOLE, length);
        eachTime(
            () -> here.copyTo(there, ends) == AccessFault.NONE,
            () -> here.copyTo(hole, ends) == AccessFault.MEMORY_GONE);
        eachTime(
            () -> there.copyTo(here, ends) == AccessFault.NONE,
            () -> hole.copyTo(here, ends) == AccessFault.MEMORY_GONE);
        assertThat(hole.isReadable()).isFalse();
        assertThat(there.isReadable()).isTrue();
      }
    }
  }

  @Test
  void aPieceThatEndsInTheHoleIsNotReadable() {
    SpanList there = span(file, HOLE - 5000, 5000);
    SpanList hole = span(file, HOLE - 5000, 5001);
    eachTime(there::isReadable, () -> !hole.isReadable());
    assertThat(span(file, HOLE - 5000, 5000).isReadable()).isTrue();
    assertThat(span(file, HOLE - 5000, 5001).isReadable()).isFalse();
    assertThat(span(file, HOLE - 8192, 8192).isReadable()).isTrue();
    assertThat(span(file, HOLE, 0).isReadable()).isTrue();
    assertThat(span(file, HOLE + 1, 0).isReadable()).as("no byte is read").isTrue();
  }

  // Each of these is compiled for itself, with the access inside: an error that comes late comes
  // where it returns, behind its try. Handed over as a lambda, the access would return within it.

  private static boolean swaps(Region region, long at, long swap) {
    try {
      RemoteAtomics.compareAndSwap(region.memory(), region.offset(at), 0, swap);
      return true;
    } catch (InternalError e) {
      return false;
    }
  }

  private static boolean adds(Region region, long at) {
    try {
      RemoteAtomics.fetchAndAdd(region.memory(), region.offset(at), 1);
      return true;
    } catch (InternalError e) {
      return false;
    }
  }

  private static boolean writes(Region region, long at) {
    try {
      RemoteAtomics.write(region, at, 1);
      return true;
    } catch (InternalError e) {
      return false;
    }
  }

  private static boolean takesInline(ScatterGather list, MemorySegment file, long offset) {
    list.clear();
    try {
      list.addInline(file, offset, 32);
      return true;
    } catch (InternalError e) {
      return false;
    }
  }

  @Test
  void anAtomicInTheHoleSaysSoAtOnce() {
    long hole = HOLE + 8;
    eachTime(() -> swaps(region, 8, 0), () -> !swaps(region, hole, 1));
    eachTime(() -> adds(region, 8), () -> !adds(region, hole));
    eachTime(() -> writes(region, 8), () -> !writes(region, hole));
  }

  @Test
  void inlineDataOfTheHoleSaysSoAtOnce() {
    ScatterGather list = new ScatterGather(1, arena.allocate(64));
    eachTime(() -> takesInline(list, file, 0), () -> !takesInline(list, file, HOLE));
  }

  @Test
  @Proves("S5.4.5")
  void aFlushOfTheHoleSaysSoEachTime() {
    eachTime(
        () -> Flushes.makeVisible(region, 0, HOLE) == AccessFault.NONE,
        () -> Flushes.makeVisible(region, 0, HOLE + 1) == AccessFault.MEMORY_GONE);
    eachTime(
        () -> Flushes.makePersistent(region, 0, 1) == AccessFault.NONE,
        () -> Flushes.makePersistent(region, HOLE, 1) == AccessFault.MEMORY_GONE);
    assertThat(Flushes.makePersistent(region, 0, HOLE)).isEqualTo(AccessFault.NONE);
    assertThat(Flushes.makeVisible(region, 0, HOLE)).isEqualTo(AccessFault.NONE);
    assertThat(Flushes.makePersistent(region, HOLE, 1)).isEqualTo(AccessFault.MEMORY_GONE);
    assertThat(Flushes.makePersistent(region, 0, 2 * HOLE)).isEqualTo(AccessFault.MEMORY_GONE);
    assertThat(Flushes.makeVisible(region, 0, HOLE + 1)).isEqualTo(AccessFault.MEMORY_GONE);
    assertThat(Flushes.makePersistent(region, HOLE, 0)).isEqualTo(AccessFault.NONE);
  }
}
