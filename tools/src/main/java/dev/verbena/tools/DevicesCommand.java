package dev.verbena.tools;

import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code verbena devices}: the table of ibv_devices. */
@Command(
    name = "devices",
    description = "List the devices and their node GUIDs, as ibv_devices does.")
final class DevicesCommand implements Callable<Integer> {
  private final PrintWriter out;

  DevicesCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() {
    out.println("    device          \t   node GUID");
    out.println("    ------          \t----------------");
    for (Device device : Devices.list()) {
      out.println(String.format("    %-16s\t%016x", device.name(), device.guid()));
    }
    return 0;
  }
}
