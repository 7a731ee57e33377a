package dev.verbena.soft.device.qp;

import dev.verbena.soft.engine.Engine;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.XrcdFlags;
import dev.verbena.verbs.XrcdInitAttr;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;

/** The open XRC domains of one device, by the files that name them (S7.1). */
public final class XrcShares {
  private static final String FUNCTION = "openXrcd";
  private static final int ALL = XrcdFlags.CREAT | XrcdFlags.EXCL;

  /** An open domain. */
  private static final class Entry {
    private final XrcShare share;

    /** Kept open, so that no other file gets its identity meanwhile. */
    private final FileChannel file;

    private int handles;

    Entry(XrcShare share, FileChannel file) {
      this.share = share;
      this.file = file;
    }
  }

  private final Engine engine;
  private final Map<Object, Entry> byFile = new HashMap<>();

  public XrcShares(Engine engine) {
    this.engine = engine;
  }

  /**
   * Opens a domain, or makes it.
   *
   * @throws VerbsException as {@link dev.verbena.verbs.Context#openXrcd(XrcdInitAttr)}
   */
  XrcShare open(XrcdInitAttr attr) {
    int flags = attr.oflags();
    if ((flags & ~ALL) != 0) {
      throw new VerbsException(
          FUNCTION, Errno.EINVAL, "unknown oflags 0x" + Integer.toHexString(flags & ~ALL));
    }
    boolean creates = (flags & XrcdFlags.CREAT) != 0;
    Path path = attr.file();
    if (path != null) {
      return open(path, creates, creates && (flags & XrcdFlags.EXCL) != 0);
    }
    if (!creates) {
      throw new VerbsException(
          FUNCTION, Errno.EINVAL, "a private domain must be created: set CREAT");
    }
    return new XrcShare(engine::findXrcQueue);
  }

  private XrcShare open(Path path, boolean creates, boolean exclusive) {
    try {
      return find(path, creates, exclusive).share;
    } catch (IOException e) {
      throw new VerbsException(FUNCTION, Errno.EBADF, "the file " + path + " cannot be opened", e);
    }
  }

  private synchronized Entry find(Path path, boolean creates, boolean exclusive)
      throws IOException {
    Object identity = identity(path);
    Entry entry = byFile.get(identity);
    if (entry != null && exclusive) {
      throw new VerbsException(
          FUNCTION, Errno.EEXIST, "the domain of the file " + path + " is open, and EXCL is set");
    }
    if (entry == null) {
      if (!creates) {
        throw new VerbsException(
            FUNCTION,
            Errno.ENOENT,
            "no domain of this process has the file " + path + ": set CREAT");
      }
      FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
      entry = new Entry(new XrcShare(engine::findXrcQueue), file);
      byFile.put(identity, entry);
    }
    entry.handles++;
    return entry;
  }

  /** Device and inode if files have them, otherwise the real path. */
  private static Object identity(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path.toRealPath() : key;
  }

  /** A handle was closed; the last one ends the domain. */
  synchronized void close(XrcShare share) {
    for (Entry entry : byFile.values()) {
      if (entry.share == share) {
        entry.handles--;
        if (entry.handles == 0) {
          byFile.values().remove(entry);
          close(entry.file);
        }
        return;
      }
    }
  }

  private static void close(FileChannel file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new VerbsException("closeXrcd", Errno.EIO, "the file of the domain", e);
    }
  }
}
