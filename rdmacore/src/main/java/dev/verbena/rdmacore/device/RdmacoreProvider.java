package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Libibverbs;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ForkStatus;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.VerbsProvider;
import java.util.List;

/**
 * Provides the devices of the installed libibverbs by their names, such as {@code mlx5_0} and
 * {@code rxe0}; {@code rdmacore:NAME} says that it is one of these.
 */
public final class RdmacoreProvider implements VerbsProvider {
  /** Before the colon of a specification. */
  static final String KIND = "rdmacore";

  /** For {@link java.util.ServiceLoader}. */
  public RdmacoreProvider() {}

  @Override
  public List<Device> devices() {
    return hasLibrary() ? NativeDevice.list() : List.of();
  }

  @Override
  public boolean accepts(DeviceSpec spec) {
    return spec.name().equals(KIND) || (!spec.isSoftware() && isPresent(spec.name()));
  }

  private static boolean hasLibrary() {
    return Libibverbs.mayHaveDevices() && Libibverbs.isAvailable();
  }

  private boolean isPresent(String name) {
    return Libibverbs.isNamed()
        ? devices().stream().anyMatch(device -> device.name().equals(name))
        : Libibverbs.kernelDevices().contains(name);
  }

  @Override
  public String describe() {
    List<String> names = Libibverbs.kernelDevices();
    return names.isEmpty()
        ? KIND + ":NAME (libibverbs; " + Libibverbs.whyMissing(names) + ")"
        : KIND + ":NAME, " + String.join(", ", names);
  }

  @Override
  public Context open(DeviceSpec spec) {
    String verb = "openDevice";
    String address = spec.address();
    if (!spec.options().isEmpty() || (address == null && spec.name().equals(KIND))) {
      throw new VerbsException(
          verb,
          Errno.EINVAL,
          "'"
              + spec
              + "': a device of libibverbs is a NAME or "
              + KIND
              + ":NAME, without options"
              + (spec.options().isEmpty()
                  ? ""
                  : "; this has " + String.join(", ", spec.options().keySet())));
    }
    Libibverbs.require(verb);
    return NativeDevice.open(address == null ? spec.name() : address);
  }

  /** Also where there is no device yet: once one is in use, it may be too late. */
  @Override
  public void forkInit() {
    if (Libibverbs.isAvailable()) {
      Fork.init();
    }
  }

  /** Without a device there is nothing that a fork could take from it. */
  @Override
  public ForkStatus isForkInitialized() {
    return hasLibrary() ? Fork.status() : ForkStatus.UNNEEDED;
  }
}
