package dev.verbena.soft.sim.frames;

/** The protocol above IP. */
public enum Upper {
  /** TCP without options. */
  TCP(6, 20, 16),
  /** UDP. */
  UDP(17, 8, 6);

  private final int number;
  private final int headerLength;
  private final int checksumAt;

  Upper(int number, int headerLength, int checksumAt) {
    this.number = number;
    this.headerLength = headerLength;
    this.checksumAt = checksumAt;
  }

  int number() {
    return number;
  }

  int headerLength() {
    return headerLength;
  }

  int checksumAt() {
    return checksumAt;
  }
}
