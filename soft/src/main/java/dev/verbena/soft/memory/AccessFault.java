package dev.verbena.soft.memory;

/**
 * Why an access to registered memory was refused, in the order of the checks (S5.2.1, S5.2.2). The
 * number is the vendor_err of the completion that it leads to.
 */
public enum AccessFault {
  /** The access is allowed. */
  NONE(0),
  /** No region has this key. */
  UNKNOWN_KEY(1),
  /** The region belongs to another protection domain. */
  FOREIGN_DOMAIN(2),
  /** The region lacks the right. */
  MISSING_RIGHT(3),
  /** The range is not inside the region. */
  OUT_OF_BOUNDS(4),
  /** The application closed the arena of the memory, or cut its mapped file short. */
  MEMORY_GONE(5),
  /** The memory is to be made persistent and is no mapped file. */
  NOT_PERSISTENT(6),
  /** The mapped file could not be written. */
  FILE_ERROR(7),
  /** The window was bound through another queue pair. */
  FOREIGN_QUEUE_PAIR(8),
  /** The window is not in a state for it: bound already, freed, or of type 1. */
  WINDOW_STATE(9),
  /** Such a binding cannot be: a ZERO_BASED region, unknown rights, type 2 without a length. */
  ILLEGAL_BINDING(10);

  private final int vendorErr;

  AccessFault(int vendorErr) {
    this.vendorErr = vendorErr;
  }

  /** The number that a completion's vendor_err carries. */
  public int vendorErr() {
    return vendorErr;
  }
}
