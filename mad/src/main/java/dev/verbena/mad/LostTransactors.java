package dev.verbena.mad;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;

/**
 * Watches for transactors that a program loses without closing them, closes them and logs a
 * warning.
 */
final class LostTransactors {
  private static final Logger LOG = System.getLogger(LostTransactors.class.getName());
  private static final Cleaner CLEANER =
      Cleaner.create(Thread.ofPlatform().daemon().name("verbena-lost-transactors").factory());

  /**
   * Watches a transactor.
   *
   * @param transactor the object that the program receives
   * @param exchange the object that does its work, and does not reference it
   */
  static Cleaner.Cleanable watch(MadTransactor transactor, MadExchange exchange) {
    return CLEANER.register(transactor, () -> end(exchange));
  }

  private static void end(MadExchange exchange) {
    boolean working = exchange.isAlive();
    try {
      exchange.close();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a part of the lost " + exchange + " was not closed", e);
    }
    if (working) {
      LOG.log(
          Level.WARNING,
          "The program has lost the "
              + exchange
              + " without closing it; it has now been closed. Close transactors, for instance with"
              + " try-with-resources.");
    }
  }

  private LostTransactors() {}
}
