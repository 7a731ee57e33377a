package dev.verbena.dropin;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Counters;
import dev.verbena.verbs.Gid;

/** What {@code verbena run} tells of a device when the program has ended. */
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

  /** About the device of an open context; its counts end with its last context. */
  static Report of(Context context) {
    return new Report(context.device().name(), context.queryGid(1, 0), context.counters());
  }

  /**
   * One line, without an end of line. Messages that queue pairs of this process handed to each
   * other as a whole are told of only where there are any: no packets were made of them.
   */
  String line() {
    StringBuilder line = new StringBuilder(device).append(" at ");
    line.append(text(address)).append(": ");
    line.append(count(Counter.PACKETS_SENT, "packet")).append(" sent, ");
    line.append(counters.get(Counter.FAULTS_DROPPED)).append(" dropped by faults, ");
    line.append(counters.get(Counter.RETRANSMITTED)).append(" resent");
    if (counters.get(Counter.LOOPBACK_MESSAGES) > 0) {
      line.append("; ").append(count(Counter.LOOPBACK_MESSAGES, "message"));
      line.append(" within the process");
    }
    return line.toString();
  }

  private static String text(Gid address) {
    return address.isIpv4Mapped() ? address.toInetAddress().getHostAddress() : address.toString();
  }

  private String count(Counter counter, String what) {
    long count = counters.get(counter);
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
