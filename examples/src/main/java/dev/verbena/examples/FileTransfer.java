package dev.verbena.examples;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static java.nio.channels.FileChannel.MapMode.READ_ONLY;
import static java.nio.channels.FileChannel.MapMode.READ_WRITE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.connect.ConnParam;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.ConnectionClosedException;
import dev.verbena.verbs.connect.ConnectionListener;
import dev.verbena.verbs.connect.ConnectionRequest;
import dev.verbena.verbs.vtools.Completions;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Sends a file from mapped memory to mapped memory, without a copy in the program. A SEND needs a
 * receive at the other end, so the receiver gives a credit for each that it posts, and the sender
 * spends one for each SEND: then none comes too early, and nobody is told to try again later. An
 * empty SEND carries credits in its immediate data.
 */
public final class FileTransfer {
  static final int CHUNK = 64 << 10;
  private static final int CREDITS = 16;
  private static final int BAR = 40;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final long MOST_BYTES = 16L << 30;

  /**
   * Runs the example. The first argument is the file: a client sends it, a server writes it, and
   * with both ends in this process a new file in the folder for temporary files is written. {@link
   * Ends#run} says what follows.
   */
  public static void main(String[] args) throws Exception {
    if (args.length == 0 || args[0].startsWith("--")) {
      throw new IllegalArgumentException("first a file, and then as follows\n" + Ends.USAGE);
    }
    Path file = Path.of(args[0]);
    List<String> ends = List.of(args).subList(1, args.length);
    boolean serves = ends.contains("--server");
    Ends.run(
        (device, listener) ->
            receive(
                device,
                listener,
                serves ? file : Files.createTempFile("received", null),
                System.out),
        (device, server) -> send(device, server, file, System.out),
        ends.toArray(String[]::new));
  }

  static void send(String device, InetSocketAddress server, Path file, PrintStream out)
      throws IOException {
    try (Arena arena = Arena.ofShared();
        FileChannel channel = FileChannel.open(file, READ);
        Context ctx = Devices.open(device)) {
      ProtectionDomain pd = ctx.allocPd();
      long size = requireSize(channel.size());
      MemoryRegion region = pd.regMr(channel.map(READ_ONLY, 0, size, arena));
      CompletionQueue cq = ctx.createCq(4 * CREDITS, ctx.createCompChannel());
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
      Connection connection =
          Connection.connect(
              server,
              ConnParam.of(qp)
                  .privateData(ByteBuffer.allocate(Long.BYTES).putLong(0, size).array())
                  .beforePeerSends(() -> awaitCredits(qp)));

      int chunks = chunks(region);
      int credits = 0;
      int sent = 0;
      int arrived = 0;
      while (arrived < chunks) {
        for (; credits > 0; credits--) {
          SendWr wr = new SendWr().opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED);
          qp.postSend(wr.sgList(chunk(region, sent++)));
        }
        WorkCompletion wc = Completions.await(cq, PATIENCE);
        if (wc.opcode() == WcOpcode.RECV) {
          credits += wc.immData();
          qp.postRecv(new RecvWr());
        } else {
          arrived++;
          out.print("\r" + bar(arrived, chunks) + " of " + region.length() + " bytes");
        }
      }
      out.println();
      connection.disconnect(PATIENCE);
    }
  }

  /** A picture of how much has arrived, always of the same length. */
  private static String bar(int arrived, int chunks) {
    int percent = (int) (100L * arrived / chunks);
    int filled = BAR * percent / 100;
    return "[%s%s] %3d %%".formatted("#".repeat(filled), "-".repeat(BAR - filled), percent);
  }

  private static void awaitCredits(QueuePair qp) {
    for (int i = 0; i < CREDITS; i++) {
      qp.postRecv(new RecvWr());
    }
  }

  /** The first that is a sender: anybody may touch the port. */
  private static ConnectionRequest next(ConnectionListener listener, PrintStream out)
      throws IOException {
    while (true) {
      try {
        return listener.getRequest();
      } catch (ConnectionClosedException e) {
        throw e;
      } catch (IOException e) {
        out.println("no sender: " + e.getMessage());
      }
    }
  }

  static void receive(String device, ConnectionListener listener, Path file, PrintStream out)
      throws IOException {
    try (Arena arena = Arena.ofShared();
        ConnectionRequest client = next(listener, out);
        Context ctx = Devices.open(device)) {
      long size = requireSize(client);
      ProtectionDomain pd = ctx.allocPd();
      MemorySegment memory = create(file, size, arena);
      MemoryRegion region = pd.regMr(memory, LOCAL_WRITE);
      CompletionQueue cq = ctx.createCq(4 * CREDITS, ctx.createCompChannel());
      QueuePair qp = pd.createQp(QpInitAttr.rc(cq));
      // If the sender goes, the wait for its next chunk ends.
      Connection connection = client.accept(ConnParam.of(qp)).closeOnEnd();

      int chunks = chunks(region);
      int posted = 0;
      int arrived = 0;
      while (arrived < chunks) {
        // Give credits by the half, so that few messages carry them and the sender seldom waits.
        if (posted < chunks && posted - arrived <= CREDITS / 2) {
          int credits = Math.min(CREDITS - (posted - arrived), chunks - posted);
          for (int end = posted + credits; posted < end; posted++) {
            qp.postRecv(new RecvWr().sgList(chunk(region, posted)));
          }
          SendWr wr = new SendWr().opcode(WrOpcode.SEND_WITH_IMM).immData(credits);
          qp.postSend(wr.sendFlags(SendFlags.SIGNALED));
        }
        arrived += Completions.await(cq, PATIENCE).opcode() == WcOpcode.RECV ? 1 : 0;
      }
      memory.force();
      long early = ctx.counters().get(Counter.RNR_NAKS_SENT);
      out.println("received " + file + "; SENDs that came too early: " + early);
      connection.disconnect(PATIENCE);
    }
  }

  /** No memory of 0 bytes can be registered, and nobody should fill the disk of the other end. */
  private static long requireSize(long size) throws IOException {
    if (size < 1 || size > MOST_BYTES) {
      throw new IOException("a file of " + size + " bytes, not 1 to " + MOST_BYTES);
    }
    return size;
  }

  /** The size that a client has told, which learns if that will not do. */
  private static long requireSize(ConnectionRequest client) throws IOException {
    ByteBuffer told = client.privateData();
    try {
      return requireSize(told.remaining() == Long.BYTES ? told.getLong() : 0);
    } catch (IOException e) {
      client.reject(String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private static MemorySegment create(Path file, long size, Arena arena) throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, READ, WRITE)) {
      return channel.map(READ_WRITE, 0, size, arena);
    }
  }

  private static int chunks(MemoryRegion region) {
    return Math.toIntExact((region.length() + CHUNK - 1) / CHUNK);
  }

  /** A part of the file. */
  private static Sge chunk(MemoryRegion region, int number) {
    long offset = (long) number * CHUNK;
    return region.sgeAt(offset, Math.min(CHUNK, region.length() - offset));
  }

  private FileTransfer() {}
}
