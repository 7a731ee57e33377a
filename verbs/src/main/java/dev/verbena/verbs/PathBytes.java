package dev.verbena.verbs;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The serialised form of a path; {@link IbPath#toBytes} describes it. */
final class PathBytes {
  private static final int MAGIC = 0x5642_5031; // "VBP1"
  private static final int HEADER = 8;
  private static final int FORWARD = 1;
  private static final int RETURN = 2;
  private static final int GID = 16;
  private static final int ONE_PATH = onePath();

  private static int onePath() {
    int bytes = 2 * GID;
    for (PathField field : PathField.values()) {
      bytes += field.bytes();
    }
    return bytes;
  }

  static byte[] write(IbPath path) {
    IbPath forward = path.ownForward();
    IbPath back = path.ownReturn();
    int flags = (forward == null ? 0 : FORWARD) | (back == null ? 0 : RETURN);
    int length = ONE_PATH * paths(flags);
    ByteBuffer out = ByteBuffer.allocate(HEADER + length);
    out.putInt(MAGIC).putShort((short) length).putShort((short) flags);
    put(out, path);
    put(out, forward);
    put(out, back);
    return out.array();
  }

  /** The number of paths present with these flags. */
  private static int paths(int flags) {
    return 1 + Integer.bitCount(flags);
  }

  private static void put(ByteBuffer out, @Nullable IbPath path) {
    if (path == null) {
      return;
    }
    out.put(path.dgid().toBytes()).put(path.sgid().toBytes());
    for (PathField field : PathField.values()) {
      for (int shift = (field.bytes() - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
        out.put((byte) (path.get(field) >>> shift));
      }
    }
  }

  static IbPath read(byte[] bytes) {
    if (bytes.length < HEADER) {
      throw refused(bytes.length + " bytes, less than the " + HEADER + " of its beginning");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int magic = in.getInt();
    int length = Short.toUnsignedInt(in.getShort());
    int flags = Short.toUnsignedInt(in.getShort());
    if (magic != MAGIC) {
      throw refused(String.format("it begins with 0x%08x, not 0x%08x", magic, MAGIC));
    }
    if ((flags & ~(FORWARD | RETURN)) != 0) {
      throw refused(String.format("it has the flags 0x%x; only 1 and 2 are defined", flags));
    }
    if (length != ONE_PATH * paths(flags) || bytes.length != HEADER + length) {
      throw refused(
          String.format(
              "%d bytes announce %d bytes after the first %d, for %d paths of %d bytes",
              bytes.length, length, HEADER, paths(flags), ONE_PATH));
    }
    IbPath.Builder path = get(in);
    if ((flags & FORWARD) != 0) {
      path.forwardPath(get(in).build());
    }
    if ((flags & RETURN) != 0) {
      path.returnPath(get(in).build());
    }
    return path.build();
  }

  private static IbPath.Builder get(ByteBuffer in) {
    IbPath.Builder path =
        IbPath.builder()
            .dgid(new Gid(in.getLong(), in.getLong()))
            .sgid(new Gid(in.getLong(), in.getLong()));
    for (PathField field : PathField.values()) {
      long value = 0;
      for (int i = 0; i < field.bytes(); i++) {
        value = value << Byte.SIZE | Byte.toUnsignedInt(in.get());
      }
      path.set(field, value);
    }
    return path;
  }

  private static VerbsException refused(String why) {
    return new VerbsException("ibPath", Errno.EINVAL, "this is not a serialised path: " + why);
  }

  private PathBytes() {}
}
