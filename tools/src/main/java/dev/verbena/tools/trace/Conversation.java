package dev.verbena.tools.trace;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The packets between two queue pairs.
 *
 * @param there to the queue pair on the right of the ladder
 * @param back to the one on the left; null if there is none, or if it is not known
 */
record Conversation(Stream there, @Nullable Stream back) {
  /** The end on the left. */
  String left() {
    Direction to = there.to();
    return Direction.end(to.src(), back == null ? to.srcQpn() : back.to().qpn());
  }

  /** The end on the right. */
  String right() {
    return Direction.end(there.to().dst(), there.to().qpn());
  }

  /** The numbers of the queue pairs, as far as they are known. */
  List<Integer> qpns() {
    List<Integer> numbers = new ArrayList<>(List.of(there.to().qpn()));
    if (back != null) {
      numbers.add(back.to().qpn());
    } else if (there.to().srcQpn() != Direction.NOT_SAID) {
      numbers.add(there.to().srcQpn());
    }
    return numbers;
  }

  /** The statistics of both directions, as lines. */
  List<String> statistics(long startNanos) {
    List<String> lines = new ArrayList<>();
    lines.add(left() + " -> " + right());
    lines.addAll(there.statistics(startNanos));
    if (back != null) {
      lines.add(right() + " -> " + left());
      lines.addAll(back.statistics(startNanos));
    }
    return lines;
  }
}
