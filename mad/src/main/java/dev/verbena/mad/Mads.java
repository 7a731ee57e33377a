package dev.verbena.mad;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.VerbsException;
import java.util.function.Supplier;

/** Where management datagrams begin: transactors for a local port. */
public final class Mads {
  /**
   * How often a request to the subnet administrator is repeated whose path was not given: {@value}
   * times.
   */
  public static final int SA_RETRIES = 3;

  /**
   * A transactor of general management datagrams at a port. It opens the port's device for itself,
   * asks the subnet administrator by {@link EndPort#saPath()} and repeats a request up to {@link
   * #SA_RETRIES} times. Where there is no subnet administrator, as on Ethernet, only agents can be
   * asked to whom a path is given.
   *
   * @throws VerbsException as {@link Rdma#getVerbs(EndPort)} and what making a UD queue pair meets
   */
  public static MadTransactor getGmpMad(EndPort endPort) {
    return over(Rdma.getVerbs(endPort), endPort, true, () -> saPath(endPort));
  }

  /**
   * As {@link #getGmpMad(EndPort)} over a context that is open on the port's device, and stays open
   * when the transactor is closed.
   */
  public static MadTransactor getGmpMad(EndPort endPort, Context verbs) {
    return over(verbs, endPort, false, () -> saPath(endPort));
  }

  /**
   * As {@link #getGmpMad(EndPort, Context)} with a path to the subnet administrator of one's own,
   * whose P_Key, timeout and retries then count.
   */
  public static MadTransactor getGmpMad(EndPort endPort, Context verbs, IbPath saPath) {
    return over(verbs, endPort, false, () -> saPath);
  }

  private static IbPath saPath(EndPort endPort) {
    return endPort.saPath().copy(path -> path.retries(SA_RETRIES));
  }

  private static MadTransactor over(
      Context verbs, EndPort endPort, boolean ownsContext, Supplier<IbPath> saPath) {
    IbPath local = IbPath.builder(endPort).build();
    UdMadTransport transport = UdMadTransport.open(verbs, local, ownsContext);
    return new MadTransactor(endPort, transport, saPath);
  }

  private Mads() {}
}
