package dev.verbena.verbs;

/** Flags for opening an XRC domain: the oflags of struct ibv_xrcd_init_attr, with Linux's bits. */
public final class XrcdFlags {
  /** O_CREAT: creates the domain if it does not exist. */
  public static final int CREAT = 0x40;

  /** O_EXCL: with CREAT, refuses a domain that exists. */
  public static final int EXCL = 0x80;

  private XrcdFlags() {}
}
