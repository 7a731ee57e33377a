package dev.verbena.tools;

import dev.verbena.verbs.DeviceSpec;
import picocli.CommandLine.Option;

/** The device of a command that uses one. */
public final class DeviceOption {
  @Option(
      names = {"-d", "--ib-dev", "--device"},
      paramLabel = "DEVICE",
      description = "The device, as soft0 or soft:ADDRESS (default: ${DEFAULT-VALUE}).")
  private DeviceSpec spec = DeviceSpec.named("soft0");

  /** What was asked for, by default the first free loopback address. */
  public DeviceSpec spec() {
    return spec;
  }
}
