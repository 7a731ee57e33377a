package dev.verbena.soft.transport.responder;

import dev.verbena.soft.transport.Chunk;
import dev.verbena.wire.Operation;
import org.jspecify.annotations.Nullable;

/** A SEND or WRITE of which a responder has seen a part: what may follow, and where (S12.6.6). */
final class OpenMessage {
  /** What is open: more of it is to come. */
  @Nullable Operation operation;

  /** Bytes placed so far. */
  long placed;

  /** The start address of a WRITE. */
  long va;

  /** Key of a WRITE. */
  int rkey;

  /** Bytes that a WRITE announced. */
  long length;

  private int srqNum;

  /**
   * Whether a chunk fits: one that starts a message while none is open, or one that continues the
   * open one, with XRC to the same shared receive queue.
   */
  boolean accepts(Chunk chunk) {
    return chunk.first ? operation == null : operation == chunk.operation && srqNum == chunk.srqNum;
  }

  /** A chunk was placed. */
  void place(Chunk chunk) {
    if (chunk.first) {
      operation = chunk.operation;
      placed = 0;
      va = chunk.va;
      rkey = chunk.rkey;
      length = chunk.dmaLength;
      srqNum = chunk.srqNum;
    }
    placed += chunk.payload.total;
  }

  /** Describes the open message for people. */
  @Override
  public String toString() {
    return operation == null ? "no message" : operation + " with " + placed + " bytes so far";
  }

  /** No message is open. */
  void close() {
    operation = null;
  }
}
