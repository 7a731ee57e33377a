package dev.verbena.soft.memory;

import dev.verbena.verbs.VendorErrors;

/**
 * Why an access to registered memory was refused, in the order of the checks (S5.2.1, S5.2.2). The
 * number is the vendor_err of the completion that it leads to.
 */
public enum AccessFault {
  /** The access is allowed. */
  NONE(0, ""),
  /** The key is unknown. */
  UNKNOWN_KEY(1, "no region has this key"),
  /** The owner is wrong. */
  FOREIGN_DOMAIN(2, "the region belongs to another protection domain"),
  /** A right is missing. */
  MISSING_RIGHT(3, "the region lacks the right"),
  /** The range is wrong. */
  OUT_OF_BOUNDS(4, "the range is not inside the region, or the message does not fit the receive"),
  /** The memory no longer exists. */
  MEMORY_GONE(
      5,
      "the application closed the memory's arena, or its mapped file was cut short or found no room"
          + " on the disk"),
  /** FLUSH: only the peer learns of it. */
  NOT_PERSISTENT(6, "the memory to be made persistent is not a mapped file"),
  /** FLUSH: only the peer learns of it. */
  FILE_ERROR(7, "the mapped file could not be written"),
  /** Memory windows: the owner is wrong. */
  FOREIGN_QUEUE_PAIR(8, "the memory window was bound through another queue pair"),
  /** Memory windows: the state is wrong. */
  WINDOW_STATE(9, "the memory window is already bound, was freed, or is of type 1"),
  /** Memory windows: the binding is illegal. */
  ILLEGAL_BINDING(
      10,
      "the binding is illegal: to a ZERO_BASED region, with unknown rights, or of type 2 without"
          + " a length");

  private static final AccessFault[] FAULTS = values();

  private final int vendorErr;
  private final String text;

  AccessFault(int vendorErr, String text) {
    this.vendorErr = vendorErr;
    this.text = text;
  }

  /** The number in a completion's vendor_err. */
  public int vendorErr() {
    return vendorErr;
  }

  /** The reason in words. */
  public String text() {
    return text;
  }

  /** One object for all completions. */
  public static final VendorErrors WORDS = AccessFault::text;

  /** The words for the vendor_err of a completion; empty if there are none. */
  public static String text(int vendorErr) {
    for (AccessFault fault : FAULTS) {
      if (fault.vendorErr == vendorErr) {
        return fault.text;
      }
    }
    return "";
  }
}
