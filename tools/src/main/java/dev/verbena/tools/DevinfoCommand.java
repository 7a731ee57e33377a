package dev.verbena.tools;

import dev.verbena.tools.kit.DeviceOption;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.VerbsException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code verbena devinfo}: the fields and the layout of ibv_devinfo. */
@Command(
    name = "devinfo",
    description = "Show the properties of a device and its ports, as ibv_devinfo does.")
final class DevinfoCommand implements Callable<Integer> {
  private final PrintWriter out;

  @Option(
      names = {DeviceOption.SHORT, DeviceOption.IB_DEV, DeviceOption.LONG},
      paramLabel = DeviceOption.LABEL,
      description = DeviceOption.NAMED + "$" + DeviceOption.VARIABLE + ", or every device listed).")
  private @Nullable DeviceSpec given;

  @Option(
      names = {"-i", "--ib-port"},
      paramLabel = "PORT",
      description = "Only this port, from 1 (default: all ports).")
  private int port;

  @Option(
      names = {"-l", "--list"},
      description = "Only the names of the devices.")
  private boolean namesOnly;

  @Option(
      names = {"-v", StandardOptions.VERBOSE},
      description = "All attributes and the GID table; also a stack trace for errors.")
  private boolean verbose;

  DevinfoCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() {
    if (namesOnly) {
      listNames();
      return 0;
    }
    DeviceSpec device = DeviceOption.orEnvironment(given);
    if (device != null) {
      show(device);
      return 0;
    }
    List<Device> devices = Devices.list();
    if (devices.isEmpty()) {
      throw ToolException.failure(
          "no devices found: no provider is on the class path (dev.verbena:verbena-soft is one)");
    }
    showAll(devices);
    return 0;
  }

  private void listNames() {
    List<Device> devices = Devices.list();
    out.println(devices.size() + (devices.size() == 1 ? " HCA found:" : " HCAs found:"));
    devices.forEach(found -> out.println("\t" + found.name()));
    out.println();
  }

  /** One that cannot be opened, as without rights to its file, does not hide the others. */
  void showAll(List<Device> devices) {
    List<String> failures = new ArrayList<>();
    for (Device found : devices) {
      try {
        show(found.spec());
      } catch (VerbsException e) {
        failures.add(e.getMessage());
      }
    }
    if (!failures.isEmpty()) {
      throw ToolException.failure(String.join("\n", failures));
    }
  }

  private void show(DeviceSpec spec) {
    try (Context context = Devices.open(spec)) {
      new DeviceReport(context, new FieldWriter(out), verbose).print(port);
    }
  }
}
