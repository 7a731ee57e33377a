package dev.verbena.tools.trace;

import java.util.List;

/**
 * A packet of a ladder, in words.
 *
 * @param number of the packet in its file
 * @param time in seconds from the first packet
 * @param text what matters about it
 * @param toTheRight whether it goes to the end on the right
 * @param dropped whether it never got to that end
 * @param begins whether a message begins with it, for the first time
 * @param remarks what is remarkable about it
 */
record Rung(
    long number,
    String time,
    String text,
    boolean toTheRight,
    boolean dropped,
    boolean begins,
    List<String> remarks) {
  /** Room for an arrow without text on a line of text. */
  private static final int LEAST_ARROW = 5;

  /** The arrow on a line of text; what was dropped ends at an X on the way. */
  String arrow(int width) {
    int room = Math.max(1, width - text.length() - LEAST_ARROW);
    int missed = dropped ? room / 2 : 0;
    String shaft = "-".repeat(room - missed);
    String rest = " ".repeat(missed);
    return toTheRight
        ? "|- " + text + " " + shaft + (dropped ? "X" : ">") + rest + "|"
        : "|" + rest + (dropped ? "X" : "<") + shaft + " " + text + " -|";
  }

  /** The remarks as one text. */
  String remark() {
    return String.join("; ", remarks);
  }
}
