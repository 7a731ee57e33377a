package dev.verbena.tools;

import java.io.PrintWriter;
import java.util.List;

/**
 * Writes lines of a name and a value in ibv_devinfo's layout: indented by tabs, with the value at
 * the next of two columns.
 */
final class FieldWriter {
  /** A bit and its name. */
  record Flag(long bit, String name) {}

  private static final int TAB = 8;

  /** Tab stops between the indentation of a line and its value. */
  private static final int NAME_TABS = 4;

  private static final int MEMBER_NAME_TABS = 3;
  private static final int PORT_NAME_TABS = 3;

  private final PrintWriter out;

  FieldWriter(PrintWriter out) {
    this.out = out;
  }

  /** An attribute of a device. */
  void device(String name, Object value) {
    out.println("\t" + padded(name, NAME_TABS) + value);
  }

  /** The heading of attributes that follow through {@link #member} and {@link #more}. */
  void group(String name) {
    out.println("\t" + name + ":");
  }

  /** An attribute in a group. */
  void member(String name, Object value) {
    out.println("\t\t" + padded(name, MEMBER_NAME_TABS) + value);
  }

  /** The heading of values in a group. */
  void innerGroup(String name) {
    out.println("\t\t" + name + ":");
  }

  /** An attribute of a port. */
  void port(String name, Object value) {
    out.println("\t\t\t" + padded(name, PORT_NAME_TABS) + value);
  }

  /** Another value of the preceding field. */
  void more(String value) {
    out.println("\t\t\t\t\t" + value);
  }

  /** The names of the bits that are set; those without a name are written as a number. */
  void flags(List<Flag> known, long flags) {
    long unknown = flags;
    for (Flag flag : known) {
      if ((flags & flag.bit()) != 0) {
        more(flag.name());
        unknown &= ~flag.bit();
      }
    }
    if (unknown != 0) {
      more("Unknown flags: 0x%X".formatted(unknown));
    }
  }

  /** Any other line. */
  void line(String text) {
    out.println(text);
  }

  /** The name, followed by as many tabs as it takes to reach the value's column, at least one. */
  private static String padded(String name, int tabs) {
    int width = name.length() + 1;
    return name + ":" + "\t".repeat(Math.max(1, tabs - width / TAB));
  }
}
