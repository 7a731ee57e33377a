package dev.verbena.tools.demo;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Messages of one kind between two checks of the data. The server prepares its memory before a
 * round and checks it after; the client does the same on its side.
 *
 * @param operation what each message does
 * @param size bytes of a message
 * @param messages how many; each has a slot of its own in the memory of both ends
 * @param first number of the first message; no two messages of a run have the same
 */
record Round(Operation operation, int size, int messages, int first) {
  /** Slots start at multiples of this: a cache line, and as atomics need it. */
  private static final int ALIGNMENT = 64;

  /** The largest message, and so the largest round, that is asked for. */
  static final int MAX_SIZE = 64 << 20;

  /** Messages of a round: small ones. */
  static final int SMALL = 50;

  /** Messages of a round: large ones. */
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
      throw new IOException("the client asks for the operation '" + operation + "'", e);
    }
  }
}
