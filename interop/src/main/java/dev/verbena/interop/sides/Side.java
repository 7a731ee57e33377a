package dev.verbena.interop.sides;

import dev.verbena.verbs.QpState;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * One end of a connection: a queue pair, its completion queue and a buffer. Positions count from
 * the buffer's start.
 */
public interface Side extends AutoCloseable {
  /** The name for messages, "ours", "kernel" or "drop-in". */
  String name();

  /** Whether it is Linux's rdma_rxe, with its deviations. */
  boolean isKernel();

  /**
   * Whether peers may FLUSH its buffer to persistence: if the settings ask for that right, and it
   * is our software device in this process. rdma_rxe and the drop-in register no such memory.
   */
  boolean isPersistent();

  PeerAddress address() throws IOException;

  void connect(PeerAddress peer) throws IOException;

  /** The buffer's address for peers. */
  long addr();

  /** The buffer's key for peers. */
  int rkey();

  /** Writes the pattern. */
  void fill(long off, int length, int seed) throws IOException;

  /** Fails unless the pattern is there. */
  void check(long off, int length, int seed) throws IOException;

  byte[] peek(long off, int length) throws IOException;

  void poke(long off, byte[] bytes) throws IOException;

  /**
   * Binds a new window of type 2 to a part of the buffer, which completes like a send.
   *
   * @param access rights of the window
   * @return its key
   */
  int bindWindow(long wrId, long off, int length, int access) throws IOException;

  /** The operations that only a UD queue pair has. */
  Datagrams datagrams();

  void post(Work work) throws IOException;

  void postRecv(long wrId, long off, int length, int parts) throws IOException;

  /** The next completion; empty if none came in time. */
  Optional<Completion> poll(Duration timeout) throws IOException;

  QpState state() throws IOException;

  /** RNR NAKs that its device has sent and received. */
  long rnrNaks() throws IOException;

  @Override
  void close() throws IOException;
}
