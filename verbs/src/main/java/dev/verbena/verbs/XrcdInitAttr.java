package dev.verbena.verbs;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which XRC domain to open (struct ibv_xrcd_init_attr).
 *
 * <p>A domain is private or tied to a file: all that open it with the same file (the same inode,
 * whatever its path) on the same device get the same domain. The file only names the domain; it is
 * neither read nor written. It must exist and be readable, whatever the flags.
 *
 * <p>{@link XrcdFlags#CREAT} is the default, unlike in C, where oflags must be given: a domain that
 * does not exist is created unless {@link #oflags(int...)} says otherwise.
 */
public final class XrcdInitAttr {
  private @Nullable Path file;
  private int oflags = XrcdFlags.CREAT;

  /** A private domain. */
  public XrcdInitAttr() {}

  /** A private domain, which no other context can open (fd −1). */
  public static XrcdInitAttr anonymous() {
    return new XrcdInitAttr();
  }

  /** The domain tied to this file, which must exist and be readable. */
  public static XrcdInitAttr of(Path file) {
    return new XrcdInitAttr().file(file);
  }

  /** The file that names the domain; null for a private one. */
  public @Nullable Path file() {
    return file;
  }

  /** Sets the file that names the domain; C's fd. */
  public XrcdInitAttr file(@Nullable Path path) {
    file = path;
    return this;
  }

  /** {@link XrcdFlags} bits; CREAT unless set. */
  public int oflags() {
    return oflags;
  }

  /**
   * Sets the {@link XrcdFlags} bits; without an argument this is {@link #oflags() the getter}; pass
   * 0 for none.
   */
  public XrcdInitAttr oflags(int... flags) {
    oflags = Flags.or(flags);
    return this;
  }

  @Override
  public String toString() {
    return "xrcd_init_attr["
        + (file == null ? "private" : file)
        + ", oflags=0x"
        + Integer.toHexString(oflags)
        + "]";
  }
}
