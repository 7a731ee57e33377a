package dev.verbena.verbs;

import java.util.Locale;

/** An enum constant that carries the number libibverbs gives it in {@code verbs.h}. */
public interface Numbered {
  /** The number of this constant in {@code verbs.h}; numbers of one enum need not be contiguous. */
  int number();

  /**
   * The constant of {@code type} with that number.
   *
   * @throws VerbsException EINVAL if no constant has it
   */
  static <E extends Enum<E> & Numbered> E of(Class<E> type, int number) {
    for (E constant : type.getEnumConstants()) {
      if (constant.number() == number) {
        return constant;
      }
    }
    throw new VerbsException(
        type.getSimpleName().toLowerCase(Locale.ROOT),
        Errno.EINVAL,
        "no " + type.getSimpleName() + " has the number " + number);
  }
}
