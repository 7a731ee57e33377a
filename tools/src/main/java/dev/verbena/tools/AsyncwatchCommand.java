package dev.verbena.tools;

import dev.verbena.tools.kit.DeviceOption;
import dev.verbena.tools.kit.Ranges;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code verbena asyncwatch}: ibv_asyncwatch. */
@Command(
    name = "asyncwatch",
    description =
        "Show the asynchronous events of a device, as ibv_asyncwatch does: its port going down and"
            + " coming back, its address changing.")
final class AsyncwatchCommand implements Callable<Integer> {
  private final PrintWriter out;

  @Mixin private final DeviceOption device = new DeviceOption();

  @Option(
      names = {"-n", "--count"},
      paramLabel = "COUNT",
      defaultValue = "0",
      description = "Exit after this many events (default: ${DEFAULT-VALUE}, never).")
  private int count;

  AsyncwatchCommand(PrintWriter out) {
    this.out = out;
  }

  @Override
  public Integer call() throws InterruptedException {
    Ranges.check("--count", count, 0, Integer.MAX_VALUE);
    try (Context context = Devices.open(device.spec())) {
      out.println(context.device().name() + ": waiting for asynchronous events");
      for (int seen = 0; count == 0 || seen < count; seen++) {
        try (AsyncEvent event = context.getAsyncEvent()) {
          out.println(line(event));
        }
      }
    }
    return 0;
  }

  /** The line of an event; the port is 0 if the event concerns none. */
  static String line(AsyncEvent event) {
    return "  event_type IBV_EVENT_%s (%d), port %d"
        .formatted(event.eventType(), event.eventType().number(), event.portNum());
  }
}
