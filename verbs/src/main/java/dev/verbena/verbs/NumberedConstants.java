package dev.verbena.verbs;

/**
 * Caches the constants of each numbered enum, because {@code values()} returns a new array at every
 * call.
 */
final class NumberedConstants {
  private static final ClassValue<Numbered[]> CONSTANTS =
      new ClassValue<>() {
        @Override
        protected Numbered[] computeValue(Class<?> type) {
          return (Numbered[]) type.getEnumConstants();
        }
      };

  static Numbered[] of(Class<? extends Numbered> type) {
    return CONSTANTS.get(type);
  }

  private NumberedConstants() {}
}
