package dev.verbena.verbs.spi;

import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.VerbsException;

/**
 * A way for management datagrams that needs no open device of verbs, as libibumad is. Found by
 * {@link java.util.ServiceLoader}; has a public constructor without parameters, or a static
 * provider method.
 */
public interface MadProvider {
  /** Whether datagrams can go by this port. */
  boolean reaches(EndPort port);

  /**
   * Opens a port that it {@link #reaches}.
   *
   * @throws VerbsException EACCES if this process may not use the port, or what else fails
   */
  MadTransport open(EndPort port);
}
