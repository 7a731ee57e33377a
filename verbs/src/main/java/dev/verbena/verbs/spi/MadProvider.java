package dev.verbena.verbs.spi;

import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.VerbsException;

/**
 * Carries management datagrams without an open verbs device, as libibumad does. Implementations are
 * found by {@link java.util.ServiceLoader}; they have a public constructor without parameters, or a
 * static provider method.
 */
public interface MadProvider {
  /** Whether datagrams can be sent through this port. */
  boolean reaches(EndPort port);

  /**
   * Opens a port for which {@link #reaches} is true.
   *
   * @throws VerbsException EACCES if this process may not use the port, or the error of any other
   *     failure
   */
  MadTransport open(EndPort port);
}
