package dev.verbena.tck;

import java.util.List;

/**
 * Two ends of an RC connection, and the contexts to close.
 *
 * @param left the end that most tests post from
 * @param right its peer
 */
record RcPair(RcEnd left, RcEnd right) implements AutoCloseable {

  /** A connected pair with the defaults of {@link RcSetup}. */
  static RcPair open(TckLink link) {
    return RcSetup.on(link).open();
  }

  /** Both ends. */
  List<RcEnd> ends() {
    return List.of(left, right);
  }

  @Override
  public void close() {
    left.context().close();
    right.context().close();
  }

  @Override
  public String toString() {
    return left.context().device().spec() + " - " + right.context().device().spec();
  }
}
