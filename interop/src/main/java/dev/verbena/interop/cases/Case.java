package dev.verbena.interop.cases;

import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import java.io.IOException;

/**
 * A case, which runs once with each side as the initiator.
 *
 * @param name without the initiator
 * @param settings of both sides; made for a path without loss
 * @param toleratesLoss whether it ends as expected even if some packets are lost
 * @param body the actions
 */
public record Case(String name, PairSettings settings, boolean toleratesLoss, Body body) {

  /** The actions of a case on a new connection. */
  @FunctionalInterface
  public interface Body {
    void run(Pair pair) throws IOException;
  }

  public Case(String name, PairSettings settings, Body body) {
    this(name, settings, true, body);
  }

  /** The same case, but not for a lossy path, which may lose what it expects. */
  Case withoutLoss() {
    return new Case(name, settings, false, body);
  }
}
