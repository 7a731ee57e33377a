package dev.verbena.examples.paths;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.vtools.BufferPool;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Shows regions of a text, of bytes and of a mapped file; elements of them; and a pool of buffers.
 */
public final class Memory {

  /** Runs the example; its argument is a device or a port. */
  public static void main(String[] args) throws IOException {
    run(args.length == 0 ? "soft0" : args[0], System.out);
  }

  static void run(String name, PrintStream out) throws IOException {
    Path file = Files.createTempFile("verbena", null);
    try (Arena arena = Arena.ofShared();
        Context ctx = Rdma.getVerbs(Rdma.getEndPort(name));
        FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE)) {
      ProtectionDomain pd = ctx.allocPd();
      MemoryRegion text = pd.mr(arena.allocateFrom("Hello"), Access.REMOTE_READ);
      MemoryRegion bytes = pd.mr(arena.allocate(256), Access.REMOTE_WRITE);
      MemorySegment pages = channel.map(MapMode.READ_WRITE, 0, 256, arena);
      MemoryRegion mapped = pd.mr(pages, Access.REMOTE_WRITE);
      out.println(text.length() + " and " + bytes.length() + " and " + mapped.length() + " bytes");

      Sge all = bytes.sge();
      Sge part = bytes.sge(128, 10);
      out.println(
          all.length() + " bytes, and " + part.length() + " at " + (part.addr() - all.addr()));

      BufferPool pool = new BufferPool(pd, 100, 1024);
      int index = pool.pop();
      int length = pool.copyTo("Hello message!".getBytes(UTF_8), index);
      out.println(new String(pool.copyFrom(index, 0, length), UTF_8));
    }
  }

  private Memory() {}
}
