package dev.verbena.tools.trace;

/** Text of a file that anybody may have written, for a terminal. */
final class Ascii {
  private static final int MOST = 200;

  /** The start of a text, with dots for what is not printable ASCII. */
  static String printable(String text) {
    String start = text.length() > MOST ? text.substring(0, MOST) + "..." : text;
    return start.replaceAll("[^ -~]", ".");
  }

  private Ascii() {}
}
