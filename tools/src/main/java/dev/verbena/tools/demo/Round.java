package dev.verbena.tools.demo;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Messages of one kind between two checks of the data. The server prepares its memory before a
 * round and checks it after; the client does the same on its side.
 *
 * @param operation the operation of each message
 * @param size bytes of a message
 * @param messages number of messages; each has a slot of its own in the memory of both ends
 * @param first number of the first message; numbers are unique in a run
 */
record Round(Operation operation, int size, int messages, int first) {
  /** Alignment of slots: a cache line, which also suits atomics. */
  private static final int ALIGNMENT = 64;

  /** The largest size of a message, and so of a round, that may be requested. */
  static final int MAX_SIZE = 64 << 20;

  /** Messages of a round, if they are small. */
  static final int SMALL = 50;

  /** Messages of a round, if they are large. */
  static final int LARGE = 4;

  /** Bytes from one slot to the next. */
  static long stride(int size) {
    return ((long) size + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Offset of the slot of this round's {@code message}. */
  long offset(int message) {
    return message * stride(size);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(operation.name());
    out.writeInt(size);
    out.writeInt(messages);
    out.writeInt(first);
  }

  static Round read(DataInputStream in) throws IOException {
    String operation = in.readUTF();
    try {
      return new Round(Operation.valueOf(operation), in.readInt(), in.readInt(), in.readInt());
    } catch (IllegalArgumentException e) {
      throw new IOException("the client requests the operation '" + operation + "'", e);
    }
  }
}
