package dev.verbena.dropin;

/** Prints messages of the drop-in to the user. Standard output belongs to the program. */
final class Console {
  /** Prints one line. */
  static void say(String line) {
    System.err.println("verbena: " + line);
  }

  /** Prints an error with its stack trace. */
  static void say(Throwable error) {
    System.err.print("verbena: ");
    error.printStackTrace();
  }

  /** Whether the user asked for messages, by setting an environment variable to 1. */
  static boolean wants(String variable) {
    return "1".equals(System.getenv(variable));
  }

  private Console() {}
}
