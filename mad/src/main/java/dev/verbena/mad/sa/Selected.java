package dev.verbena.mad.sa;

import dev.verbena.verbs.Rate;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.Selector;
import java.util.function.IntUnaryOperator;

/**
 * A component that a query compares as its selector says.
 *
 * @param size what a coded value amounts to, so that values compare
 */
record Selected(Field selector, Field value, IntUnaryOperator size) {
  /** A component whose codes rise with what they mean. */
  static Selected plain(Field selector, Field value) {
    return new Selected(selector, value, code -> code);
  }

  /** A rate, whose codes are in no order. */
  static Selected rate(Field selector, Field value) {
    return new Selected(selector, value, Selected::mbps);
  }

  /** Less than any, of a code that no rate has. */
  private static int mbps(int code) {
    for (Rate rate : Rate.values()) {
      if (rate.number() == code) {
        return rate.toMbps();
      }
    }
    return -1;
  }

  /** The bits of the component mask that plain comparison leaves to this. */
  long mask() {
    return selector.mask() | value.mask();
  }

  /** Whether a value is what the query asks for. */
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
      // The best there is, for there is only one.
      default -> true;
    };
  }
}
