package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.Consumer;

/** Feeds random text to a parser, which must either accept it or refuse it with EINVAL. */
final class TextFuzz {
  private static final int ROUNDS = 50_000;

  /**
   * @param alphabet characters that make up most texts
   * @param parser parses, and checks what it got
   */
  static void run(long seed, String alphabet, Consumer<String> parser) {
    run(seed, alphabet, new String[0], parser);
  }

  /**
   * @param words pieces that are also used in texts, so that some get far
   */
  static void run(long seed, String alphabet, String[] words, Consumer<String> parser) {
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      String text = text(random, alphabet, words);
      try {
        parser.accept(text);
      } catch (VerbsException e) {
        assertThat(e.errno()).as("'%s', seed %d: %s", text, seed, e).isEqualTo(Errno.EINVAL);
      } catch (RuntimeException e) {
        throw new AssertionError("'" + text + "', seed " + seed + ", round " + round, e);
      }
    }
  }

  private static String text(Random random, String alphabet, String[] words) {
    StringBuilder text = new StringBuilder();
    int pieces = random.nextInt(24);
    for (int i = 0; i < pieces; i++) {
      int kind = random.nextInt(10);
      if (kind == 0) {
        text.append((char) random.nextInt(0x10000));
      } else if (kind < 6 && words.length > 0) {
        text.append(words[random.nextInt(words.length)]);
      } else {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
    }
    return text.toString();
  }

  private TextFuzz() {}
}
