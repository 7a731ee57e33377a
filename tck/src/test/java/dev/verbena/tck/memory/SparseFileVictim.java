package dev.verbena.tck.memory;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A separate process on its own file system: requests into the gap of a sparse file. */
final class SparseFileVictim {
  private static final int LENGTH = 1 << 20;
  private static final int GAP = 512 << 10;
  private static final int KINDS = 4;

  private final Path sparse;
  private final Path filler;
  private final boolean isBare;

  /**
   * @param isBare whether the segment hides that it is a mapped file
   */
  private SparseFileVictim(Path folder, boolean isBare) {
    sparse = folder.resolve("sparse");
    filler = folder.resolve("filler");
    this.isBare = isBare;
  }

  /** Runs everything in the given folder. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    new SparseFileVictim(folder, false).run();
    new SparseFileVictim(folder, true).run();
    System.out.println("survived");
  }

  private void run() throws IOException {
    for (TckLink link : new TckLink[] {TckLink.LOOPBACK, TckLink.PACKET, TckLink.UDP}) {
      for (int kind = 0; kind < KINDS; kind++) {
        request(link, kind, false);
        request(link, kind, true);
      }
    }
  }

  private void request(TckLink link, int kind, boolean full) throws IOException {
    try (Arena arena = Arena.ofShared();
        QpPair pair = CutFileTest.setup(link).open()) {
      MemorySegment memory = map(arena);
      if (full) {
        fill();
      }
      MemoryRegion region =
          pair.right().pd().regMr(memory, Access.LOCAL_WRITE, PairSetup.REMOTE_ALL);
      QpEnd left = pair.left();
      byte[] one = {1, 0, 0, 0, 0, 0, 0, 0};
      left.put(0, one);
      SendWr wr = requests(pair).get(kind);
      left.qp().postSend(CutFileTest.at(wr, region, GAP));
      WorkCompletion wc = left.awaitSend(1);
      WcStatus expected = full ? WcStatus.REM_ACCESS_ERR : WcStatus.SUCCESS;
      if (wc.status() != expected) {
        throw new AssertionError(link + " " + wr.opcode() + ": " + wc);
      }
      if (!full && memory.get(ValueLayout.JAVA_BYTE, GAP) != 1) {
        throw new AssertionError(link + " " + wr.opcode() + ": was not executed");
      }
      region.close();
    } finally {
      Files.deleteIfExists(filler);
      Files.deleteIfExists(sparse);
    }
  }

  /** Each changes the zeros in the gap to a 1. */
  private static List<SendWr> requests(QpPair pair) {
    QpEnd left = pair.left();
    QpEnd right = pair.right();
    return List.of(
        SendWrs.compareSwap(1, right, 0, 0, 1, left.sge(16, 8)),
        SendWrs.fetchAdd(1, right, 0, 1, left.sge(16, 8)),
        CutFileTest.atomicWrite(left),
        SendWrs.write(1, right, 0, left.sge(0, 8)));
  }

  private MemorySegment map(Arena arena) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            sparse,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MemorySegment mapped = file.map(MapMode.READ_WRITE, 0, LENGTH, arena);
      return isBare ? BareMemoryNative.of(mapped) : mapped;
    }
  }

  /** Takes the remaining space. */
  private void fill() throws IOException {
    try (FileChannel file =
        FileChannel.open(filler, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer block = ByteBuffer.allocate(1 << 10);
      while (true) {
        block.clear();
        file.write(block);
      }
    } catch (IOException full) {
      if (Files.size(filler) == 0) {
        throw full;
      }
    }
  }
}
