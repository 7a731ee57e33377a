package dev.verbena.examples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.connect.ConnParam;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.RemoteRegion;
import dev.verbena.verbs.vtools.Completions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The memory that a server has registered, as a client uses it: to read, to write, and to change a
 * word as one step. The server's threads take no part in it, only its device. Each method waits
 * until its request has completed; a faster program posts several and waits for the last.
 */
final class RemoteMemory implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CompletionQueue cq;
  private final QueuePair qp;
  private final MemoryRegion buffer;
  private final MemoryRegion oldWord;
  private final Connection connection;
  private final RemoteRegion remote;

  /** Allocates memory at the server, for {@link Clients#offer}: clients may use it in every way. */
  static MemoryRegion allocate(Context ctx, long bytes) {
    return ctx.allocPd()
        .allocMr(
            bytes,
            Access.LOCAL_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_WRITE,
            Access.REMOTE_ATOMIC);
  }

  /**
   * Connects a queue pair.
   *
   * @param server where one listens that calls {@link Clients#offer}
   * @param bufferBytes the most that is read or written at once
   */
  RemoteMemory(Context ctx, InetSocketAddress server, long bufferBytes) throws IOException {
    ProtectionDomain pd = ctx.allocPd();
    cq = ctx.createCq(16, ctx.createCompChannel());
    qp = pd.createQp(QpInitAttr.rc(cq));
    buffer = pd.allocMr(bufferBytes, Access.LOCAL_WRITE);
    oldWord = pd.allocMr(Long.BYTES, Access.LOCAL_WRITE);
    connection = Connection.connect(server, ConnParam.of(qp));
    remote = connection.region();
  }

  /** What {@link #read} fills and {@link #write} sends. */
  MemorySegment buffer() {
    return buffer.memory();
  }

  /** A number that is not 0, and that no other client of the server has at the same time. */
  long id() {
    return connection.remoteQps().getFirst().endpoint().qpNum();
  }

  /** Fills the first bytes of the buffer with those at an offset of the remote memory. */
  void read(long offset, long bytes) {
    call(new SendWr().opcode(WrOpcode.RDMA_READ).sgList(buffer.sgeAt(0, bytes)), offset);
  }

  /** Writes the first bytes of the buffer to an offset of the remote memory. */
  void write(long offset, long bytes) {
    call(new SendWr().opcode(WrOpcode.RDMA_WRITE).sgList(buffer.sgeAt(0, bytes)), offset);
  }

  /** Adds to the word at an offset, a multiple of 8, and returns what it was before. */
  long fetchAndAdd(long offset, long add) {
    SendWr wr = new SendWr().opcode(WrOpcode.ATOMIC_FETCH_AND_ADD).compareAdd(add);
    call(wr.sgList(oldWord.sge()), offset);
    return oldWord.memory().get(JAVA_LONG, 0);
  }

  /** Replaces the word at an offset, a multiple of 8, if it is as expected; returns what it was. */
  long compareAndSwap(long offset, long expected, long value) {
    SendWr wr = new SendWr().opcode(WrOpcode.ATOMIC_CMP_AND_SWP).compareAdd(expected).swap(value);
    call(wr.sgList(oldWord.sge()), offset);
    return oldWord.memory().get(JAVA_LONG, 0);
  }

  /**
   * Takes the lock that the word at an offset is: 0 if it is free, or else its holder's {@link
   * #id()}. A client that dies with a lock keeps it for ever; real programs have leases.
   *
   * @throws IllegalStateException if others hold it for too long
   */
  void lock(long offset, Duration patience) {
    long until = System.nanoTime() + patience.toNanos();
    for (long holder = compareAndSwap(offset, 0, id()); holder != 0; ) {
      if (System.nanoTime() - until > 0) {
        throw new IllegalStateException(
            "the lock at " + offset + " is still held by " + holder + " after " + patience);
      }
      Thread.onSpinWait();
      holder = compareAndSwap(offset, 0, id());
    }
  }

  /** Gives a lock back. */
  void unlock(long offset) {
    long holder = compareAndSwap(offset, id(), 0);
    if (holder != id()) {
      throw new IllegalStateException("the lock at " + offset + " was held by " + holder);
    }
  }

  private void call(SendWr wr, long offset) {
    wr.remoteAddr(remote.addr() + offset).rkey(remote.rkey()).sendFlags(SendFlags.SIGNALED);
    qp.postSend(wr);
    Completions.await(cq, PATIENCE);
  }

  /** Tells the server that this client has ended. */
  @Override
  public void close() {
    connection.close();
  }
}
