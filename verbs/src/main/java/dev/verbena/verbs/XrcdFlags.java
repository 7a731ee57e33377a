package dev.verbena.verbs;

/** How an XRC domain is opened: the oflags of struct ibv_xrcd_init_attr, with Linux' bits. */
public final class XrcdFlags {
  /** O_CREAT: makes the domain if there is none yet. */
  public static final int CREAT = 0x40;

  /** O_EXCL: with CREAT, refuses a domain that exists. */
  public static final int EXCL = 0x80;

  private XrcdFlags() {}
}
