package dev.verbena.verbs;

/** An enum constant with its number in libibverbs' {@code verbs.h}. */
public interface Numbered {
  /**
   * The number of this constant in {@code verbs.h}; the numbers of an enum need not be contiguous.
   */
  int number();

  /**
   * The constant of {@code type} with that number. Allocates nothing.
   *
   * @throws VerbsException EINVAL if no constant has it
   */
  static <E extends Enum<E> & Numbered> E of(Class<E> type, int number) {
    for (Numbered constant : NumberedConstants.of(type)) {
      if (constant.number() == number) {
        return type.cast(constant);
      }
    }
    throw new VerbsException(
        type.getSimpleName(),
        Errno.EINVAL,
        "no " + type.getSimpleName() + " has the number " + number);
  }
}
