package dev.verbena.mad.sa;

import dev.verbena.verbs.Rate;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.Selector;
import java.util.function.IntUnaryOperator;

/**
 * A component that a query compares as its selector specifies.
 *
 * @param size converts a coded value to a comparable one
 */
record Selected(Field selector, Field value, IntUnaryOperator size) {
  /** A component whose codes have the order of their values. */
  static Selected plain(Field selector, Field value) {
    return new Selected(selector, value, code -> code);
  }

  /** A rate, whose codes are not ordered. */
  static Selected rate(Field selector, Field value) {
    return new Selected(selector, value, Selected::mbps);
  }

  /** The rate in Mbit/s; less than any for an unknown code. */
  private static int mbps(int code) {
    for (Rate rate : Rate.values()) {
      if (rate.number() == code) {
        return rate.toMbps();
      }
    }
    return -1;
  }

  /** The bits of the component mask that are compared here rather than as plain values. */
  long mask() {
    return selector.mask() | value.mask();
  }

  /** Whether a value matches the query. */
  boolean admits(Attribute query, int actual) {
    if ((query.components() & value.mask()) == 0) {
      return true;
    }
    boolean selects = (query.components() & selector.mask()) != 0;
    int compared = Integer.compare(size.applyAsInt(actual), size.applyAsInt(query.getInt(value)));
    return switch (selects ? query.getInt(selector) : Selector.EXACTLY) {
      case Selector.GREATER -> compared > 0;
      case Selector.LESS -> compared < 0;
      case Selector.EXACTLY -> compared == 0;
      // The best one available: there is only one.
      default -> true;
    };
  }
}
