package dev.verbena.interop;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_WRITE;
import static java.nio.channels.FileChannel.MapMode.READ_WRITE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Writes into registered memory on huge pages, as docs/adapters.md has it, across the border of two
 * pages. The arguments are a device and a file to be made in a hugetlbfs.
 */
public final class HugePages {
  private static final long PAGE = 2 << 20;
  private static final int BYTES = 4096;
  private static final byte FILLING = 0x5a;

  private HugePages() {}

  /** Prints what the pages are. */
  public static void main(String[] arguments) throws IOException {
    Path path = Path.of(arguments[1]);
    try (FileChannel file = FileChannel.open(path, CREATE, READ, WRITE);
        Context context = Devices.open(arguments[0]);
        ProtectionDomain pd = context.allocPd();
        CompletionQueue cq = context.createCq(1);
        QueuePair from = pd.createQp(QpInitAttr.rc(cq));
        QueuePair to = pd.createQp(QpInitAttr.rc(cq))) {
      MemorySegment pool = file.map(READ_WRITE, 0, 2 * PAGE, Arena.global());
      from.connect(to.endpoint());
      to.connect(from.endpoint(), REMOTE_WRITE);
      try (MemoryRegion target = pd.regMr(pool, LOCAL_WRITE, REMOTE_WRITE);
          MemoryRegion source = pd.allocMr(BYTES, LOCAL_WRITE)) {
        source.memory().fill(FILLING);
        long border = PAGE - BYTES / 2;
        from.postSend(
            new SendWr()
                .opcode(WrOpcode.RDMA_WRITE)
                .sendFlags(SendFlags.SIGNALED)
                .sgList(source.sge(BYTES, 0))
                .remoteAddr(target.addr() + border)
                .rkey(target.rkey()));
        Completions.await(cq, Duration.ofSeconds(10));
        if (pool.asSlice(border, BYTES).mismatch(source.memory()) >= 0) {
          throw new AssertionError("other bytes than those written");
        }
      }
      System.out.println(sizeOfPages(path));
    }
  }

  /** The line of /proc/self/smaps about the pages of the mapped file. */
  private static String sizeOfPages(Path mapped) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    return lines.stream()
        .dropWhile(line -> !line.endsWith(mapped.toString()))
        .filter(line -> line.startsWith("KernelPageSize:"))
        .findFirst()
        .orElseThrow(() -> new AssertionError(mapped + " is not mapped"));
  }
}
