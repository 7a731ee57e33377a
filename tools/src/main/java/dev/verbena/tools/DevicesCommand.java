package dev.verbena.tools;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.VerbsException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * {@code verbena devices}: the table of ibv_devices. Software devices are opened for it, because
 * only then is it known which address soft0 has, or that none is free.
 */
@Command(
    name = "devices",
    description = "List the devices and their node GUIDs, as ibv_devices does.")
final class DevicesCommand implements Callable<Integer> {
  private final PrintWriter out;
  private final PrintWriter err;

  DevicesCommand(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public Integer call() {
    list(Devices.list());
    return 0;
  }

  /** The table. One that cannot be opened has the GUID 0, and the reason is told apart from it. */
  void list(List<Device> devices) {
    out.println("    device          \t   node GUID");
    out.println("    ------          \t----------------");
    for (Device device : devices) {
      out.println(String.format("    %-16s\t%016x", device.name(), guid(device)));
    }
    out.flush();
  }

  private long guid(Device device) {
    if (!device.spec().isSoftware()) {
      return device.guid();
    }
    try (Context opened = device.open()) {
      return opened.device().guid();
    } catch (VerbsException e) {
      err.println("verbena devices: " + device.name() + " has no GUID: " + e.getMessage());
      return 0;
    }
  }
}
