package dev.verbena.soft.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlushesTest {
  private static final long SIZE = 1 << 20;
  private static final Path SMAPS = Path.of("/proc/self/smaps");

  @TempDir private Path folder;

  private MemorySegment map(Arena arena) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("data"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      return file.map(MapMode.READ_WRITE, 0, SIZE, arena);
    }
  }

  private static Region region(MemorySegment memory) {
    return new Region(1, 2, new Domain(), Access.FLUSH_PERSISTENT, 0x1000, memory);
  }

  /** Kilobytes of the mapping at this address that are not written to the file. */
  private static long dirtyKilobytes(MemorySegment memory) throws IOException {
    List<String> lines = Files.readAllLines(SMAPS);
    String start = Long.toHexString(memory.address()) + "-";
    int at = 0;
    while (!lines.get(at).startsWith(start)) {
      at++;
    }
    return lines.subList(at, Math.min(at + 30, lines.size())).stream()
        .filter(line -> line.contains("_Dirty:"))
        .limit(2)
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .sum();
  }

  @Test
  @Proves("S5.4.5")
  void aRangeOfAMappedFileIsWrittenToTheFile() throws IOException {
    assumeTrue(Files.isReadable(SMAPS), "this system does not tell which pages are dirty");
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = map(arena);
      memory.fill((byte) 1);
      long before = dirtyKilobytes(memory);
      assumeTrue(
          !Files.getFileStore(folder).type().equals("tmpfs") && before == SIZE / 1024,
          "the temporary folder is in memory");
      Region region = region(memory);
      long half = SIZE / 2;
      assertThat(Flushes.makePersistent(region, 0x1000, half)).isEqualTo(AccessFault.NONE);
      assertThat(dirtyKilobytes(memory)).isEqualTo(half / 1024);
      assertThat(Flushes.makePersistent(region, 0x1000 + half, half)).isEqualTo(AccessFault.NONE);
      assertThat(dirtyKilobytes(memory)).isZero();
    }
  }

  @Test
  void anyRangeOfAMappedFileWillDo() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = map(arena);
      Region region = region(memory.asSlice(100, 5000));
      assertThat(Flushes.makePersistent(region, 0x1000, 5000)).isEqualTo(AccessFault.NONE);
      assertThat(Flushes.makePersistent(region, 0x1001, 1)).isEqualTo(AccessFault.NONE);
      assertThat(Flushes.makePersistent(region, 0x1000, 0)).isEqualTo(AccessFault.NONE);
    }
  }

  @Test
  @Proves("S5.4.5")
  void otherMemoryIsNotPersistent() {
    Region region = region(MemorySegment.ofArray(new long[8]));
    assertThat(Flushes.makePersistent(region, 0x1000, 8)).isEqualTo(AccessFault.NOT_PERSISTENT);
  }

  @Test
  void aMappingThatWasClosedIsGone() throws IOException {
    Region region;
    try (Arena arena = Arena.ofShared()) {
      region = region(map(arena));
    }
    assertThat(Flushes.makePersistent(region, 0x1000, 8)).isEqualTo(AccessFault.MEMORY_GONE);
  }
}
