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
