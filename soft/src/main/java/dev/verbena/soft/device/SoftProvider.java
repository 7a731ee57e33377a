package dev.verbena.soft.device;

import dev.verbena.soft.device.open.Surroundings;
import dev.verbena.soft.device.spec.NodeSpec;
import dev.verbena.soft.device.spec.SoftSpec;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.VerbsProvider;
import java.util.List;

/**
 * Provides the software devices: {@code soft0}, the first free loopback address; {@code soft:new},
 * one more in memory; {@code soft:ADDRESS}, which {@code soft_ADDRESS}, the device's name, opens
 * too; and {@code ib:NAME}, or {@code ib_NAME}, a node of the InfiniBand subnet of this process.
 */
public final class SoftProvider implements VerbsProvider {
  // One for the process, however many provider objects a ServiceLoader makes.
  private static final OpenDevices DEVICES = new OpenDevices(Surroundings.real());

  /** For ServiceLoader. */
  public SoftProvider() {}

  @Override
  public List<Device> devices() {
    return DEVICES.list();
  }

  @Override
  public boolean accepts(DeviceSpec spec) {
    return SoftSpec.isKnown(spec.name());
  }

  @Override
  public String describe() {
    return String.join(
        ", ",
        SoftSpec.FIRST,
        SoftSpec.KIND + ":new",
        SoftSpec.KIND + ":ADDRESS",
        NodeSpec.KIND + ":NAME");
  }

  @Override
  public Context open(DeviceSpec spec) {
    return DEVICES.open(spec);
  }
}
