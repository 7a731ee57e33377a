package dev.verbena.tck;

import java.util.List;

/**
 * Two ends, connected unless they are of type UD, and the contexts to close.
 *
 * @param left the end that most tests post from
 * @param right its peer
 */
record QpPair(QpEnd left, QpEnd right) implements AutoCloseable {

  /** A connected pair with the defaults of {@link PairSetup}. */
  static QpPair open(TckLink link) {
    return PairSetup.on(link).open();
  }

  /** The same with left and right exchanged. */
  QpPair reversed() {
    return new QpPair(/* left= */ right, /* right= */ left);
  }

  /** Both ends. */
  List<QpEnd> ends() {
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
