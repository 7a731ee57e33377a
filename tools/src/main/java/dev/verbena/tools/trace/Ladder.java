package dev.verbena.tools.trace;

import java.util.ArrayList;
import java.util.List;

/** The packets of a conversation as lines of text, with an arrow each. */
final class Ladder {
  /** Between the two bars: room for the longest usual text and an arrow. */
  private static final int WIDTH = 66;

  private static final String COLUMNS = "%8s %13s  %s";

  private final Conversation conversation;
  private final long most;
  private final List<String> lines = new ArrayList<>();
  private long left;

  /**
   * @param most lines at most; 0 for no limit
   */
  Ladder(Conversation conversation, long most) {
    this.conversation = conversation;
    this.most = most;
  }

  /** Adds a packet. */
  void add(TracedPacket packet, boolean toTheRight, List<String> remarks, long startNanos) {
    if (most > 0 && lines.size() >= most) {
      left++;
      return;
    }
    String text = PacketText.of(packet);
    String shaft = "-".repeat(Math.max(1, WIDTH - text.length() - 5));
    String arrow =
        toTheRight ? "|- " + text + " " + shaft + ">|" : "|<" + shaft + " " + text + " -|";
    String remark = remarks.isEmpty() ? "" : "  " + String.join("; ", remarks);
    lines.add(line(packet, startNanos, arrow + remark));
  }

  /** A packet in the columns of a ladder. */
  static String line(TracedPacket packet, long startNanos, String text) {
    return COLUMNS.formatted(packet.number(), PacketText.time(packet.nanos(), startNanos), text);
  }

  /** The whole ladder; nothing if it has no packets. */
  List<String> lines() {
    if (lines.isEmpty()) {
      return List.of();
    }
    List<String> all = new ArrayList<>();
    String leftEnd = conversation.left();
    String rightEnd = conversation.right();
    int between = WIDTH + 1 - leftEnd.length() - rightEnd.length();
    if (between > 0) {
      all.add(COLUMNS.formatted("packet", "seconds", leftEnd + " ".repeat(between) + rightEnd));
    } else {
      all.add(COLUMNS.formatted("", "", leftEnd));
      String indent = " ".repeat(Math.max(0, WIDTH + 1 - rightEnd.length()));
      all.add(COLUMNS.formatted("packet", "seconds", indent + rightEnd));
    }
    all.addAll(lines);
    if (left > 0) {
      all.add(
          "  %d more packets are not shown (--most=0 shows all, --from and --to a part)"
              .formatted(left));
    }
    return all;
  }
}
