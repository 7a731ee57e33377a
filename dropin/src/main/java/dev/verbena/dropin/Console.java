package dev.verbena.dropin;

/** What the drop-in tells the user. Standard output is the program's. */
final class Console {
  /** One line. */
  static void say(String line) {
    System.err.println("verbena: " + line);
  }

  /** An error with where it came from. */
  static void say(Throwable error) {
    System.err.print("verbena: ");
    error.printStackTrace();
  }

  /** Whether the user asked to be told, by an environment variable that is 1. */
  static boolean wants(String variable) {
    return "1".equals(System.getenv(variable));
  }

  private Console() {}
}
