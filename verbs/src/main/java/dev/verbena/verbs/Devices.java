package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.StringJoiner;

/**
 * Finds and opens the devices of all providers on the class path and the module path.
 *
 * <p>Providers are tried in the order of {@link java.util.ServiceLoader}: first those in modules,
 * in no particular order, then those on the class path, in its order. The first one that accepts a
 * specification opens it.
 */
public final class Devices {
  private static final String OPEN = "openDevice";
  private static final String SOFTWARE = "dev.verbena:verbena-soft";
  private static final String ADAPTERS = "dev.verbena:verbena-rdmacore";

  /**
   * Every device of every provider (ibv_get_device_list). Nothing needs to be freed.
   *
   * @throws VerbsException EIO, naming it, if a provider cannot be loaded
   */
  public static List<Device> list() {
    List<Device> devices = new ArrayList<>();
    for (VerbsProvider provider : providers("getDeviceList")) {
      devices.addAll(provider.devices());
    }
    return List.copyOf(devices);
  }

  /**
   * Opens the device that this text names; see {@link DeviceSpec} for the forms.
   *
   * @throws VerbsException EINVAL if it is not a device specification, ENODEV if no provider knows
   *     it, EBUSY if it is open in this process with other options, EIO if a provider tried earlier
   *     cannot be loaded, or whatever the provider reports
   */
  public static Context open(String spec) {
    return open(DeviceSpec.parse(spec));
  }

  /**
   * Opens a device.
   *
   * @throws VerbsException ENODEV if no provider knows it, EBUSY if it is open in this process with
   *     other options, EIO if a provider tried earlier cannot be loaded, or whatever the provider
   *     reports
   */
  public static Context open(DeviceSpec spec) {
    StringJoiner known = new StringJoiner(", ");
    for (VerbsProvider provider : providers(OPEN)) {
      if (provider.accepts(spec)) {
        return provider.open(spec);
      }
      known.add(provider.describe());
    }
    throw new VerbsException(
        OPEN,
        Errno.ENODEV,
        "no provider knows the device '"
            + spec
            + "'; "
            + (known.length() == 0
                ? "no provider is on the class path or module path ("
                    + (spec.isSoftware() ? SOFTWARE : ADAPTERS)
                    + " is one)"
                : "known: " + known + hint(spec, known.toString())));
  }

  /**
   * Lets this process fork while memory is registered (ibv_fork_init): children do not get the
   * registered pages, so that the parent's stay those that an adapter accesses. These are whole
   * pages: what else is in them, as memory of malloc beside a region, children do not get either.
   * Call it before anything else of this library. Each registration then takes one more system
   * call. For regions on huge pages, RDMAV_HUGEPAGES_SAFE=1 must be in the environment, too.
   *
   * <p>Few programs need it. Linux 5.12 and later copy such pages at the fork, and from 5.13 on
   * libibverbs learns of it and does nothing ({@link ForkStatus#UNNEEDED}); and {@code
   * ProcessBuilder} does not copy the process, unless {@code
   * -Djdk.lang.Process.launchMechanism=FORK} says so. Native code that forks needs it on an older
   * kernel. A software device needs nothing.
   *
   * @throws VerbsException EINVAL if memory was registered already, or a queue made for which the
   *     driver did the same; ENOSYS if the kernel cannot keep pages from children (MADV_DONTFORK);
   *     ENOMEM; EIO if a provider cannot be loaded
   */
  public static void forkInit() {
    for (VerbsProvider provider : providers("forkInit")) {
      provider.forkInit();
    }
  }

  /**
   * What becomes of registered memory if this process forks (ibv_is_fork_initialized): the worst of
   * what the providers say that have a device. It is never worse than {@link ForkStatus#ENABLED}
   * after {@link #forkInit}, or if the variable IBV_FORK_SAFE or RDMAV_FORK_SAFE of the environment
   * is set.
   *
   * @throws VerbsException EOPNOTSUPP if an installed libibverbs is too old to know, before
   *     rdma-core 35; EIO if a provider cannot be loaded
   */
  public static ForkStatus isForkInitialized() {
    return worst(providers("isForkInitialized"));
  }

  /** The worst of what these providers say. */
  static ForkStatus worst(Iterable<VerbsProvider> providers) {
    ForkStatus worst = ForkStatus.UNNEEDED;
    for (VerbsProvider provider : providers) {
      ForkStatus status = provider.isForkInitialized();
      worst = status.compareTo(worst) < 0 ? status : worst;
    }
    return worst;
  }

  /** What a user of an adapter lacks who has only the software device. */
  private static String hint(DeviceSpec spec, String known) {
    return spec.isSoftware() || known.contains("rdmacore:")
        ? ""
        : "; devices of libibverbs need " + ADAPTERS + " on the class path or module path";
  }

  private static Providers<VerbsProvider> providers(String function) {
    return new Providers<>(
        function, ServiceLoader.load(VerbsProvider.class, Devices.class.getClassLoader()));
  }

  private Devices() {}
}
