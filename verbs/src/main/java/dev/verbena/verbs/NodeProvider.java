package dev.verbena.verbs;

import java.util.List;

/**
 * Finds devices that cannot be opened for verbs but whose ports are of interest, such as adapters
 * that only libibumad can reach. Implementations are found by {@link java.util.ServiceLoader}; they
 * have a public constructor without parameters, or a static provider method.
 */
public interface NodeProvider {
  /**
   * The devices present now; always the same object for each name.
   *
   * @throws VerbsException if a device is present but cannot be read
   */
  List<RdmaDevice> devices();
}
