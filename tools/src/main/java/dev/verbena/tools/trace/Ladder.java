package dev.verbena.tools.trace;

import java.util.ArrayList;
import java.util.List;

/** The packets of a conversation, as lines of text with an arrow each or for an image. */
final class Ladder {
  /** Between the two bars: room for the longest usual text and an arrow. */
  private static final int WIDTH = 66;

  private static final String COLUMNS = "%8s %13s  %s";

  private final Conversation conversation;
  private final long most;
  private final boolean countsEachEnd;
  private final List<Rung> rungs = new ArrayList<>();
  private long left;
  private long fromLeft;
  private long fromRight;

  /**
   * @param most packets at most; 0 for no limit
   * @param countsEachEnd whether packets have the numbers in which their senders sent them, instead
   *     of those in the file
   */
  Ladder(Conversation conversation, long most, boolean countsEachEnd) {
    this.conversation = conversation;
    this.most = most;
    this.countsEachEnd = countsEachEnd;
  }

  /** Adds a packet. */
  void add(TracedPacket packet, boolean toTheRight, List<String> remarks, long startNanos) {
    if (most > 0 && rungs.size() >= most) {
      left++;
      return;
    }
    String time = PacketText.time(packet.nanos(), startNanos);
    long ofSender = toTheRight ? ++fromLeft : ++fromRight;
    rungs.add(
        new Rung(
            countsEachEnd ? ofSender : packet.number(),
            time,
            PacketText.of(packet),
            toTheRight,
            packet.dropped(),
            packet.beginsMessage() && !remarks.contains(Stream.SENT_AGAIN),
            remarks));
  }

  /** The packets. */
  List<Rung> rungs() {
    return rungs;
  }

  /** How many packets more there are. */
  long left() {
    return left;
  }

  /** The end on the left. */
  String leftEnd() {
    return conversation.left();
  }

  /** The end on the right. */
  String rightEnd() {
    return conversation.right();
  }

  /** A packet in the columns of a ladder. */
  static String line(TracedPacket packet, long startNanos, String text) {
    return line(packet.number(), PacketText.time(packet.nanos(), startNanos), text);
  }

  private static String line(long number, String time, String text) {
    return COLUMNS.formatted(number, time, text);
  }

  /** The whole ladder; nothing if it has no packets. */
  List<String> lines() {
    if (rungs.isEmpty()) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    String leftEnd = leftEnd();
    String rightEnd = rightEnd();
    int between = WIDTH + 1 - leftEnd.length() - rightEnd.length();
    if (between > 0) {
      all.add(COLUMNS.formatted("packet", "seconds", leftEnd + " ".repeat(between) + rightEnd));
    } else {
      all.add(COLUMNS.formatted("", "", leftEnd));
      String indent = " ".repeat(Math.max(0, WIDTH + 1 - rightEnd.length()));
      all.add(COLUMNS.formatted("packet", "seconds", indent + rightEnd));
    }
    for (Rung rung : rungs) {
      String remark = rung.remarks().isEmpty() ? "" : "  " + rung.remark();
      all.add(line(rung.number(), rung.time(), rung.arrow(WIDTH) + remark));
    }
    if (left > 0) {
      all.add(
          "  %d more packets are not shown (--most=0 shows all, --from and --to a part)"
              .formatted(left));
    }
    return all;
  }
}
