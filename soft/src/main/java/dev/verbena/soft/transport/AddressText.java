package dev.verbena.soft.transport;

import dev.verbena.verbs.Gid;

/** Addresses in texts: {@code 10.0.0.2}, or as IPv6 {@code fe80::2}. */
public final class AddressText {
  private static final String MAPPED = "::ffff:";

  /** The text of the GID with these halves. */
  public static String of(long hi, long lo) {
    Gid gid = new Gid(hi, lo);
    return gid.isIpv4Mapped() ? gid.toString().substring(MAPPED.length()) : gid.toString();
  }

  private AddressText() {}
}
