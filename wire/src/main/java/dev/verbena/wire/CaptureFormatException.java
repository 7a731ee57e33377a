package dev.verbena.wire;

/** A capture file breaks its format, or ends too early; the message says where and how. */
public final class CaptureFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param part the part of the file, such as {@code block 3 (interface description)}
   * @param offset where it starts in the file
   * @param what what is wrong with it
   */
  CaptureFormatException(String part, long offset, String what) {
    super(part + " at offset " + offset + ": " + what);
  }
}
