package dev.verbena.interop.cases;

import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import java.io.IOException;

/**
 * A case, to be run once with each side as the initiator.
 *
 * @param name without the initiator
 * @param settings of both sides; made for a path without loss
 * @param toleratesLoss whether it ends as expected even if some packets are lost
 * @param body what is done
 */
public record Case(String name, PairSettings settings, boolean toleratesLoss, Body body) {

  /** What a case does with a fresh connection. */
  @FunctionalInterface
  public interface Body {
    void run(Pair pair) throws IOException;
  }

  public Case(String name, PairSettings settings, Body body) {
    this(name, settings, true, body);
  }

  /** The same, but not for a lossy path: what it expects may then go missing. */
  Case withoutLoss() {
    return new Case(name, settings, false, body);
  }
}
