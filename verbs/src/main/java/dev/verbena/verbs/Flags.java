package dev.verbena.verbs;

/** Flags given one by one, of whatever kind. */
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
