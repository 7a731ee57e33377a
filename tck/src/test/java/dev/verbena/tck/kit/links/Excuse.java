package dev.verbena.tck.kit.links;

import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a list of tests: whom it names, and, if they may fail, what they must say then.
 *
 * @param test as "sending.SendTest#method", "sending.SendTest" or "sending.*"
 * @param invocation words of the display name of the only invocations that it is about, or "" for
 *     all
 * @param words which the message of each failure must contain
 * @param reason why, for people
 */
public record Excuse(String test, String invocation, String words, String reason) {
  private static final Pattern LINE = Pattern.compile("([^\\[: ]+)(?:\\[(.+?)])?(?:: +(.+))?");

  /** Begins a reason for which a test fails on some runs only. */
  private static final String BY_CHANCE = "by chance: ";

  /**
   * Reads a line "TEST", "TEST: WORDS" or "TEST[INVOCATION]: WORDS".
   *
   * @throws IllegalArgumentException if it is no such line
   */
  public static Excuse of(String line, String reason) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not TEST[INVOCATION]: WORDS: " + line);
    }
    return new Excuse(
        Objects.requireNonNull(parts.group(1)),
        Objects.requireNonNullElse(parts.group(2), ""),
        Objects.requireNonNullElse(parts.group(3), ""),
        reason);
  }

  /** Whether it is about an invocation of a test, by the names of both. */
  public boolean isAbout(String name, String displayName) {
    String type = type(name);
    String inPackage = type.substring(0, Math.max(0, type.lastIndexOf('.'))) + ".*";
    return List.of(name, type, inPackage).contains(test)
        && (invocation.isEmpty() || WholeWords.areIn(displayName, invocation));
  }

  /** Whether it is about tests of this class, and no other. */
  public boolean isOf(String type) {
    return type(test).equals(type);
  }

  private static String type(String name) {
    return name.substring(0, (name + "#").indexOf('#'));
  }

  /** Whether a failure with this message is the one that it tells of. */
  public boolean explains(String message) {
    return message.contains(words);
  }

  /** Whether what it is about must fail, in each run. */
  public boolean isCertain() {
    return !reason.startsWith(BY_CHANCE);
  }

  /** The line. */
  @Override
  public String toString() {
    return test
        + (invocation.isEmpty() ? "" : "[" + invocation + "]")
        + (words.isEmpty() ? "" : ": " + words);
  }
}
