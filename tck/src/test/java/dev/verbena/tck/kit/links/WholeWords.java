package dev.verbena.tck.kit.links;

import java.util.regex.Pattern;

/** Finds words of lists in texts. */
final class WholeWords {
  private WholeWords() {}

  /** Whether a text has these words, which are not part of others there. */
  static boolean areIn(String text, String words) {
    return Pattern.compile("(?<!\\w)" + Pattern.quote(words) + "(?!\\w)").matcher(text).find();
  }
}
