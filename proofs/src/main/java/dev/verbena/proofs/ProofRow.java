package dev.verbena.proofs;

/**
 * One line of a proof file: a claim of a test method and how the method ended.
 *
 * @param id the requirement that the test claims to prove
 * @param outcome the worst outcome of the method's invocations
 * @param test class and method, as {@code Class#method}
 * @param displayName the names that people see, from the class down to the method
 */
record ProofRow(String id, Outcome outcome, String test, String displayName) {

  String toLine() {
    return String.join("\t", clean(id), outcome.name(), clean(test), clean(displayName));
  }

  /** A display name may contain anything; a tab or a line end would break the table. */
  private static String clean(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
