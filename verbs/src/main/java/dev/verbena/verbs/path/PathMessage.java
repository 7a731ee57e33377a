package dev.verbena.verbs.path;

import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * A message between two {@link PathConnector}s. It consists, in big-endian order, of the letters
 * {@code VBPC}, its kind (1 byte), the number of the queue pair's type (1), the lengths of a path
 * and of data (2 each), the path and the data. The data of a refusal is its reason in UTF-8.
 */
final class PathMessage {
  /** Maximum length of data in bytes. */
  static final int MAX_DATA = 1024;

  private static final int MAGIC = 0x5642_5043; // "VBPC"
  private static final int HEADER = 10;

  /** Maximum length of a message in bytes. */
  static final int MAX_LENGTH = HEADER + IbPath.MAX_BYTES + MAX_DATA;

  /** Kinds of messages, in the order of their numbers, from 1. */
  enum Kind {
    OFFER(1, true),
    ANSWER(2, true),
    READY(3, false),
    REFUSAL(4, false);

    private final int number;
    private final boolean hasPath;

    Kind(int number, boolean hasPath) {
      this.number = number;
      this.hasPath = hasPath;
    }
  }

  /** The peer gave up, and gave a reason. */
  static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
      super("the peer gave up: " + reason);
    }
  }

  private final Kind kind;
  private final int qpType;
  private final byte[] path;
  private final ByteBuffer data;

  private PathMessage(Kind kind, int qpType, byte[] path, ByteBuffer data) {
    this.kind = kind;
    this.qpType = qpType;
    this.path = path;
    this.data = data.asReadOnlyBuffer();
  }

  static PathMessage offer(QpType type, IbPath path, ByteBuffer data) {
    return new PathMessage(Kind.OFFER, type.number(), path.toBytes(), data);
  }

  static PathMessage answer(QpType type, IbPath path, ByteBuffer data) {
    return new PathMessage(Kind.ANSWER, type.number(), path.toBytes(), data);
  }

  static PathMessage ready(QpType type) {
    return new PathMessage(Kind.READY, type.number(), new byte[0], ByteBuffer.allocate(0));
  }

  static PathMessage refusal(String reason) {
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    ByteBuffer data = ByteBuffer.wrap(text, 0, Math.min(text.length, MAX_DATA)).slice();
    return new PathMessage(Kind.REFUSAL, 0, new byte[0], data);
  }

  /** The type of the peer's queue pair. */
  QpType qpType() throws IOException {
    for (QpType type : QpType.values()) {
      if (type.number() == qpType) {
        return type;
      }
    }
    throw new IOException("the peer has a QP of type number " + qpType + ", which does not exist");
  }

  IbPath path() throws IOException {
    try {
      return IbPath.ofBytes(path);
    } catch (VerbsException e) {
      throw new IOException("the peer did not send a path: " + e.getMessage(), e);
    }
  }

  ByteBuffer data() {
    return data.duplicate();
  }

  void write(WritableByteChannel out) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER + path.length + data.remaining())
            .putInt(MAGIC)
            .put((byte) kind.number)
            .put((byte) qpType)
            .putShort((short) path.length)
            .putShort((short) data.remaining())
            .put(path)
            .put(data.duplicate())
            .flip();
    while (bytes.hasRemaining()) {
      if (out.write(bytes) == 0) {
        throw notBlocking();
      }
    }
  }

  /**
   * Reads the next message.
   *
   * @throws RefusedException if it is a refusal
   * @throws IOException if it is not of the expected kind
   */
  static PathMessage read(ReadableByteChannel in, Kind wanted) throws IOException {
    ByteBuffer header = receive(in, HEADER);
    int magic = header.getInt();
    if (magic != MAGIC) {
      throw new IOException(
          String.format("the peer sent 0x%08x where a message begins with 0x%08x", magic, MAGIC));
    }
    int number = Byte.toUnsignedInt(header.get());
    int qpType = Byte.toUnsignedInt(header.get());
    int pathLength = Short.toUnsignedInt(header.getShort());
    int dataLength = Short.toUnsignedInt(header.getShort());
    Kind kind =
        number == wanted.number ? wanted : number == Kind.REFUSAL.number ? Kind.REFUSAL : null;
    if (kind == null) {
      throw new IOException("the peer sent a message of kind " + number + ", not " + wanted);
    }
    if (pathLength > (kind.hasPath ? IbPath.MAX_BYTES : 0) || dataLength > MAX_DATA) {
      throw new IOException(
          kind + " with a path of " + pathLength + " and data of " + dataLength + " bytes");
    }
    ByteBuffer body = receive(in, pathLength + dataLength);
    byte[] path = new byte[pathLength];
    body.get(path);
    if (kind == Kind.REFUSAL) {
      throw new RefusedException(printable(body));
    }
    return new PathMessage(kind, qpType, path, body.slice());
  }

  /**
   * Removes invisible and control characters, because this untrusted text goes to logs and
   * terminals.
   */
  private static String printable(ByteBuffer text) {
    return StandardCharsets.UTF_8.decode(text).toString().replaceAll("\\p{C}", "?");
  }

  private static ByteBuffer receive(ReadableByteChannel in, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      int read = in.read(bytes);
      if (read == 0) {
        throw notBlocking();
      }
      if (read < 0) {
        throw new EOFException(
            "the peer closed the channel after "
                + bytes.position()
                + " of "
                + length
                + " bytes of a message or its beginning");
      }
    }
    return bytes.flip();
  }

  /** Fails, because a non-blocking channel would make the reader spin. */
  private static IOException notBlocking() {
    return new IOException("the channel is not in blocking mode");
  }
}
