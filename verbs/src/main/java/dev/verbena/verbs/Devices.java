package dev.verbena.verbs;

import dev.verbena.verbs.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.StringJoiner;

/** Finds and opens the devices of all providers on the class path and the module path. */
public final class Devices {
  /** Every device of every provider (ibv_get_device_list). Nothing needs to be freed. */
  public static List<Device> list() {
    List<Device> devices = new ArrayList<>();
    for (VerbsProvider provider : providers()) {
      devices.addAll(provider.devices());
    }
    return List.copyOf(devices);
  }

  /**
   * Opens the device that this text names; see {@link DeviceSpec} for the forms.
   *
   * @throws VerbsException EINVAL if it is no device specification, ENODEV if no provider knows it,
   *     EBUSY if it is open in this process with other options, or what the provider met
   */
  public static Context open(String spec) {
    return open(DeviceSpec.parse(spec));
  }

  /**
   * Opens a device.
   *
   * @throws VerbsException ENODEV if no provider knows it, EBUSY if it is open in this process with
   *     other options, or what the provider met
   */
  public static Context open(DeviceSpec spec) {
    StringJoiner known = new StringJoiner(", ");
    for (VerbsProvider provider : providers()) {
      if (provider.accepts(spec)) {
        return provider.open(spec);
      }
      known.add(provider.describe());
    }
    throw new VerbsException(
        "openDevice",
        Errno.ENODEV,
        "no provider knows the device '"
            + spec
            + "'; "
            + (known.length() == 0
                ? "no provider is on the class path or module path (dev.verbena:soft is one)"
                : "known: " + known));
  }

  private static ServiceLoader<VerbsProvider> providers() {
    return ServiceLoader.load(VerbsProvider.class, Devices.class.getClassLoader());
  }

  private Devices() {}
}
