package dev.verbena.dropin;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Gid;
import java.util.StringJoiner;

/** What {@code verbena run} prints about a device when the program ends. */
final class Report {
  private final String device;
  private final Gid address;
  private final Counters counters;

  /**
   * @param device its name
   * @param address entry 0 of its GID table
   */
  Report(String device, Gid address, Counters counters) {
    this.device = device;
    this.address = address;
    this.counters = counters;
  }

  /** The report about the device of an open context; its counters end with its last context. */
  static Report of(Context context) {
    return new Report(context.device().name(), context.queryGid(1, 0), context.counters());
  }

  /**
   * One line, without a line break. It mentions messages that queue pairs of this process exchanged
   * without packets only if there were any.
   */
  String line() {
    StringBuilder line = new StringBuilder(device).append(" at ");
    line.append(address.toAddressText()).append(": ");
    line.append(count(Counter.PACKETS_SENT, "packet")).append(" sent, ");
    line.append(counters.get(Counter.FAULTS_DROPPED)).append(" dropped by faults, ");
    line.append(counters.get(Counter.RETRANSMITTED)).append(" resent");
    if (counters.get(Counter.LOOPBACK_MESSAGES) > 0) {
      line.append("; ").append(count(Counter.LOOPBACK_MESSAGES, "message"));
      line.append(" within the process");
    }
    return line.toString();
  }

  /**
   * All counters as a JSON object on one line. Names of devices and addresses have no character
   * that JSON would quote.
   */
  String json() {
    StringJoiner fields = new StringJoiner(",", "{", "}");
    fields.add("\"device\":\"" + device + "\"");
    fields.add("\"address\":\"" + address.toAddressText() + "\"");
    for (Counter counter : Counter.values()) {
      fields.add("\"" + counter.key() + "\":" + counters.get(counter));
    }
    return fields.toString();
  }

  private String count(Counter counter, String what) {
    long count = counters.get(counter);
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
