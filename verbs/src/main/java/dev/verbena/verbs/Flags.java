package dev.verbena.verbs;

/** Combines flags of any kind. */
final class Flags {
  /** The given flags in one word; 0 for none. */
  static int or(int... flags) {
    int all = 0;
    for (int flag : flags) {
      all |= flag;
    }
    return all;
  }

  private Flags() {}
}
