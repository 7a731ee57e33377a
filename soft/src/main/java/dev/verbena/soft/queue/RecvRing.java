package dev.verbena.soft.queue;

/** The producer's side of a ring of receives; under the guard of the ring's posters. */
public interface RecvRing {
  /** Most receives. */
  int capacity();

  /** How many more receives can be claimed. */
  int free();

  /**
   * The slot {@code ahead} places after the last published one; {@code ahead} is below {@link
   * #free()}.
   */
  RecvWqe claim(int ahead);

  /** Makes the next {@code count} slots receives. */
  void publish(int count);
}
