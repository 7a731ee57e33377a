package dev.verbena.mad;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Providers;
import dev.verbena.verbs.Rdma;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.MadProvider;
import dev.verbena.verbs.spi.MadTransport;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/**
 * The entry point for management datagrams: creates transactors for a local port. If a context is
 * given, datagrams go through a UD queue pair of its device. Otherwise they go through the first
 * {@link MadProvider} that reaches the port, such as libibumad, or else through verbs after all,
 * with a context of the transactor's own.
 *
 * <p>Unless another path to the subnet administrator is given, requests to it take the current
 * {@link EndPort#saPath()} and are repeated up to {@value #SA_RETRIES} times. Where there is no
 * subnet administrator, as on Ethernet, only requests with an explicit path are possible.
 */
public final class Mads {
  /** How often a request to the subnet administrator is repeated if no path to it is given. */
  public static final int SA_RETRIES = 3;

  private Mads() {}

  /**
   * A transactor for general management datagrams at a port.
   *
   * @throws VerbsException ENODEV if neither a provider nor verbs reach the port, or the error of
   *     opening it
   */
  public static MadTransactor getGmpMad(EndPort endPort) {
    return new MadTransactor(endPort, open(endPort), saPath(endPort));
  }

  /**
   * A transactor for general management datagrams at a port.
   *
   * @param saPath the path to the subnet administrator, with the timeout and retries to use
   * @throws VerbsException as {@link #getGmpMad(EndPort)}
   */
  public static MadTransactor getGmpMad(EndPort endPort, IbPath saPath) {
    return new MadTransactor(endPort, open(endPort), () -> saPath);
  }

  /**
   * A transactor for general management datagrams over verbs.
   *
   * @param verbs a context open on the port's device; it stays open when the transactor is closed
   * @throws VerbsException EINVAL if it is open on another device; as for creating a UD queue pair
   */
  public static MadTransactor getGmpMad(EndPort endPort, Context verbs) {
    IbPath local = IbPath.builder(endPort).build();
    return new MadTransactor(endPort, open(verbs, local), saPath(endPort));
  }

  /**
   * A transactor for general management datagrams over verbs.
   *
   * @param verbs a context open on the port's device; it stays open when the transactor is closed
   * @param saPath the path to the subnet administrator, with the P_Key, timeout and retries to use
   * @throws VerbsException as for {@link #getGmpMad(EndPort, Context)}
   */
  public static MadTransactor getGmpMad(EndPort endPort, Context verbs, IbPath saPath) {
    IbPath local = IbPath.builder(endPort).pkey(saPath.pkey()).build();
    return new MadTransactor(endPort, open(verbs, local), () -> saPath);
  }

  private static MadTransport open(Context verbs, IbPath local) {
    if (!verbs.endPort().device().equals(local.endPort().device())) {
      throw new VerbsException(
          "getGmpMad",
          Errno.EINVAL,
          verbs + " is not open on the device of the end port " + local.endPort());
    }
    return UdMadTransport.open(verbs, local, false);
  }

  private static Supplier<IbPath> saPath(EndPort endPort) {
    return () -> endPort.saPath().copy(path -> path.retries(SA_RETRIES));
  }

  private static MadTransport open(EndPort endPort) {
    Optional<MadProvider> provider = provider(endPort);
    if (provider.isPresent()) {
      return provider.get().open(endPort);
    }
    IbPath local = IbPath.builder(endPort).build();
    return UdMadTransport.open(Rdma.getVerbs(endPort), local, true);
  }

  private static Optional<MadProvider> provider(EndPort endPort) {
    ServiceLoader<MadProvider> loader =
        ServiceLoader.load(MadProvider.class, Mads.class.getClassLoader());
    for (MadProvider provider : new Providers<>("getGmpMad", loader)) {
      if (provider.reaches(endPort)) {
        return Optional.of(provider);
      }
    }
    return Optional.empty();
  }
}
