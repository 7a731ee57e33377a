package dev.verbena.verbs;

import java.util.List;

/**
 * Knows devices that cannot be opened for verbs, but whose ports are something to know of, as the
 * adapters that only libibumad reaches. Found by {@link java.util.ServiceLoader}; has a public
 * constructor without parameters, or a static provider method.
 */
public interface NodeProvider {
  /**
   * The devices that are there now, for each name always the same object.
   *
   * @throws VerbsException if one is there but cannot be read
   */
  List<RdmaDevice> devices();
}
