package dev.verbena.tools;

import java.io.PrintWriter;

/**
 * Writes lines of a name and a value in ibv_devinfo's layout: indented by tabs, the value at the
 * next of two columns.
 */
final class FieldWriter {
  private static final int TAB = 8;

  /** Tab stops between the indent of a line and its value. */
  private static final int NAME_TABS = 4;

  private static final int PORT_NAME_TABS = 3;

  private final PrintWriter out;

  FieldWriter(PrintWriter out) {
    this.out = out;
  }

  /** An attribute of a device. */
  void device(String name, Object value) {
    out.println("\t" + padded(name, NAME_TABS) + value);
  }

  /** An attribute of a port. */
  void port(String name, Object value) {
    out.println("\t\t\t" + padded(name, PORT_NAME_TABS) + value);
  }

  /** One of several values that belong to the field before. */
  void more(String value) {
    out.println("\t\t\t\t\t" + value);
  }

  /** Any other line. */
  void line(String text) {
    out.println(text);
  }

  /** The name and as many tabs as lead to the value's column: at least one. */
  private static String padded(String name, int tabs) {
    int width = name.length() + 1;
    return name + ":" + "\t".repeat(Math.max(1, tabs - width / TAB));
  }
}
