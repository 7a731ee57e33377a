package dev.verbena.tck;

import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.PortState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens a device twice, in a network namespace of its own, and takes the network interface down and
 * up again: both contexts must be told. Argument: the address.
 */
final class PortWatcher {
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  public static void main(String[] args) throws IOException, InterruptedException {
    ip("link", "set", "lo", "up");
    ip("addr", "add", args[0] + "/32", "dev", "lo");
    try (Context first = Devices.open("soft:" + args[0]);
        Context second = Devices.open("soft:" + args[0])) {
      List<Context> contexts = List.of(first, second);
      ip("link", "set", "lo", "down");
      expect(contexts, EventType.PORT_ERR, PortState.DOWN);
      ip("link", "set", "lo", "up");
      expect(contexts, EventType.PORT_ACTIVE, PortState.ACTIVE);
      System.out.println("both contexts were told");
    }
  }

  private static void expect(List<Context> contexts, EventType type, PortState state)
      throws InterruptedException {
    for (Context context : contexts) {
      AsyncEvent event;
      do {
        event = context.getAsyncEvent(DEADLINE);
        if (event == null) {
          throw new AssertionError("no " + type + " within " + DEADLINE);
        }
        System.out.println(event);
        event.ack();
      } while (event.eventType() != type);
      if (event.portNum() != 1 || context.queryPort(1).state() != state) {
        throw new AssertionError(event + ", the port is " + context.queryPort(1).state());
      }
    }
  }

  private static void ip(String... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(arguments))).inheritIO();
    builder.command().addFirst("ip");
    int exitCode = builder.start().waitFor();
    if (exitCode != 0) {
      throw new IOException(builder.command() + " ended with " + exitCode);
    }
  }

  private PortWatcher() {}
}
