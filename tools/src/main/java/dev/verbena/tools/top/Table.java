package dev.verbena.tools.top;

import dev.verbena.tools.top.Rates.Measured;
import dev.verbena.verbs.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** What {@code verbena top} shows people: a line for each device, the busiest first. */
final class Table {
  private static final String START = "%7s %-8s %-20s %-16s ";
  private static final String NUMBERS = "%5s %6s %6s %7s %7s %9s %7s %6s %7s";

  /** The first line of the head spans two columns three times. */
  private static final List<String> HEAD =
      List.of(
          (START + "%5s %13s %15s %17s %6s %7s")
              .formatted(
                  "", "", "", "", "queue", "packets/s", "bytes/s", "in memory", "sent", "dropped"),
          (START + NUMBERS)
              .formatted(
                  "pid",
                  "user",
                  "program",
                  "device",
                  "pairs",
                  "out",
                  "in",
                  "out",
                  "in",
                  "messages",
                  "bytes",
                  "again",
                  "or lost"));

  private static final int USER = 8;
  private static final int PROGRAM = 20;
  private static final int DEVICE = 16;
  private static final double STEP = 1000;
  private static final String[] UNITS = {"", "k", "M", "G", "T"};

  /** All that keeps a packet from being handled. */
  private static final List<String> DROPS =
      Arrays.stream(Counter.values())
          .filter(
              counter ->
                  counter.name().startsWith("DROPPED_")
                      || counter == Counter.FAULTS_DROPPED
                      || counter == Counter.SOCKET_OVERFLOWS
                      || counter == Counter.SEND_LOST)
          .map(Counter::key)
          .toList();

  private Table() {}

  /** The lines. */
  static List<String> lines(List<Measured> devices) {
    List<String> lines = new ArrayList<>();
    long processes =
        devices.stream()
            .map(each -> each.report().user() + " " + each.report().pid())
            .distinct()
            .count();
    lines.add(
        "%d %s open in %d %s"
            .formatted(
                devices.size(),
                devices.size() == 1 ? "device" : "devices",
                processes,
                processes == 1 ? "process" : "processes"));
    if (!devices.isEmpty()) {
      lines.add("");
      lines.addAll(HEAD);
      devices.stream()
          .sorted(Comparator.comparingDouble(Table::traffic).reversed())
          .map(Table::line)
          .forEach(lines::add);
    }
    return lines;
  }

  private static double traffic(Measured device) {
    return device.rate(Counter.BYTES_SENT.key())
        + device.rate(Counter.BYTES_RECEIVED.key())
        + bytesInMemory(device);
  }

  private static double messagesInMemory(Measured device) {
    return device.rate(Counter.LOOPBACK_MESSAGES.key())
        + device.rate(Counter.DIRECT_MESSAGES.key());
  }

  private static double bytesInMemory(Measured device) {
    return device.rate(Counter.LOOPBACK_BYTES.key()) + device.rate(Counter.DIRECT_BYTES.key());
  }

  private static String line(Measured device) {
    String start =
        START.formatted(
            device.report().pid(),
            cut(device.report().user(), USER),
            cut(ProgramText.of(device.report().program()), PROGRAM),
            cut(device.report().device(), DEVICE));
    if (!device.report().answers()) {
      return start + "does not answer: stopped, or very busy";
    }
    return start
        + NUMBERS.formatted(
            device.report().objects().getOrDefault("qp", 0L),
            text(device.rate(Counter.PACKETS_SENT.key())),
            text(device.rate(Counter.PACKETS_RECEIVED.key())),
            text(device.rate(Counter.BYTES_SENT.key())),
            text(device.rate(Counter.BYTES_RECEIVED.key())),
            text(messagesInMemory(device)),
            text(bytesInMemory(device)),
            text(device.rate(Counter.RETRANSMITTED.key())),
            text(DROPS.stream().mapToDouble(device::rate).sum()));
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 1) + "~";
  }

  /** At most three digits and a unit. */
  static String text(double number) {
    int unit = 0;
    double rest = number;
    while (Math.round(rest) >= STEP && unit < UNITS.length - 1) {
      rest /= STEP;
      unit++;
    }
    String format = unit == 0 || rest >= 99.95 ? "%.0f%s" : rest >= 9.995 ? "%.1f%s" : "%.2f%s";
    return format.formatted(rest, UNITS[unit]);
  }
}
