package dev.verbena.soft.transport;

import dev.verbena.soft.transport.Sabotage.Mistake;
import java.util.Set;

/** Makes deliberate mistakes for tests of other packages. */
public final class Sabotages {
  /** Makes these mistakes. */
  public static Sabotage of(Mistake... mistakes) {
    return new Sabotage(Set.of(mistakes));
  }

  private Sabotages() {}
}
