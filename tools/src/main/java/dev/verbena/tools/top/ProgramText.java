package dev.verbena.tools.top;

/** How a process was started, without folders and packages, which say least and take most room. */
final class ProgramText {
  private static final String MAIN = "dev.verbena.tools.Main";

  private ProgramText() {}

  /**
   * A shorter text.
   *
   * @param program a main class, or a file, and arguments
   */
  static String of(String program) {
    int space = program.indexOf(' ');
    String first = space < 0 ? program : program.substring(0, space);
    String rest = space < 0 ? "" : program.substring(space);
    if (first.equals(MAIN)) {
      return "verbena" + rest;
    }
    String file = first.substring(first.lastIndexOf('/') + 1);
    boolean isClass = file.equals(first) && !file.endsWith(".jar");
    return (isClass ? file.substring(file.lastIndexOf('.') + 1) : file) + rest;
  }
}
