package dev.verbena.tools.trace;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.trace.TracedPacket.Checksum;
import dev.verbena.wire.CaptureFormatException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ladders and statistics of one file. The file is read several times instead of being kept in the
 * heap: first to see whether its ICRCs can be judged, then to find out who talks to whom.
 */
final class Trace {
  private final MemorySegment file;
  private final Excerpt excerpt;
  private final long most;
  private long frames;
  private long packets;
  private long good;
  private long bad;
  private long startNanos;
  private @Nullable CaptureFormatException end;

  /** The conversations to show, with their ladders. */
  private final Map<Conversation, Ladder> ladders = new LinkedHashMap<>();

  /** The shown conversation of a direction. */
  private final Map<Direction, Conversation> shown = new HashMap<>();

  private final List<String> strays = new ArrayList<>();
  private long moreStrays;

  /**
   * @param file the whole file
   * @param qpns the queue pairs to show; none for all
   * @param most lines of a ladder; 0 for no limit
   * @throws CaptureFormatException if the file is no capture; if it only ends in an error, {@link
   *     #end} has that
   */
  Trace(MemorySegment file, List<Integer> qpns, Excerpt excerpt, long most)
      throws CaptureFormatException {
    this.file = file;
    this.excerpt = excerpt;
    this.most = most;
    each(this::count);
    Conversations conversations = new Conversations();
    each(
        packet -> {
          if (isSound(packet)) {
            conversations.see(packet);
          }
        });
    List<Conversation> all = conversations.find();
    choose(all, qpns);
    each(packet -> take(packet, qpns.isEmpty()));
  }

  private void each(Consumer<TracedPacket> action) throws CaptureFormatException {
    RoceCapture capture = new RoceCapture(file);
    try {
      for (TracedPacket packet = capture.next(); packet != null; packet = capture.next()) {
        action.accept(packet);
      }
    } catch (CaptureFormatException e) {
      end = e;
    }
    frames = capture.frames();
  }

  private void count(TracedPacket packet) {
    if (packets == 0) {
      startNanos = packet.nanos();
    }
    packets++;
    good += packet.checksum() == Checksum.GOOD ? 1 : 0;
    bad += packet.checksum() == Checksum.BAD ? 1 : 0;
  }

  /** Adapters that capture what they send have not computed it yet. */
  private boolean checksumsCount() {
    return good >= bad;
  }

  private boolean isSound(TracedPacket packet) {
    return packet.row() != null && !(checksumsCount() && packet.checksum() == Checksum.BAD);
  }

  private void choose(List<Conversation> all, List<Integer> qpns) {
    for (Conversation conversation : all) {
      if (qpns.isEmpty() || conversation.qpns().stream().anyMatch(qpns::contains)) {
        ladders.put(conversation, new Ladder(conversation, most));
        shown.put(conversation.there().to(), conversation);
        Stream back = conversation.back();
        if (back != null) {
          shown.put(back.to(), conversation);
        }
      }
    }
    if (ladders.isEmpty() && !all.isEmpty()) {
      throw ToolException.failure(
          "no packet to or from queue pair %s; the file has %s"
              .formatted(hex(qpns), hex(all.stream().flatMap(c -> c.qpns().stream()).toList())));
    }
  }

  private static String hex(List<Integer> qpns) {
    return new TreeSet<>(qpns)
        .stream().map(qpn -> "0x" + Integer.toHexString(qpn)).collect(Collectors.joining(", "));
  }

  private void take(TracedPacket packet, boolean withStrays) {
    Conversation conversation = shown.get(packet.to());
    Ladder ladder = conversation == null ? null : ladders.get(conversation);
    if (conversation == null || ladder == null) {
      if (withStrays && excerpt.has(packet)) {
        stray(packet);
      }
      return;
    }
    boolean toTheRight = packet.to().equals(conversation.there().to());
    Stream back = conversation.back();
    Stream stream = toTheRight || back == null ? conversation.there() : back;
    List<String> remarks = stream.take(packet, checksumsCount());
    if (excerpt.has(packet)) {
      ladder.add(packet, toTheRight, remarks, startNanos);
    }
  }

  /** Damage has changed who the packet is for, or hidden it. */
  private void stray(TracedPacket packet) {
    if (most > 0 && strays.size() >= most) {
      moreStrays++;
      return;
    }
    Direction to = packet.to();
    strays.add(
        "%8d %13s  %s -> %s: %s%s"
            .formatted(
                packet.number(),
                PacketText.seconds(packet.nanos() - startNanos),
                to.src(),
                Direction.end(to.dst(), to.qpn()),
                PacketText.of(packet),
                packet.comment().isEmpty() ? "" : "  " + Ascii.printable(packet.comment())));
  }

  /** How many packets there are, and what must be known about them. */
  List<String> summary() {
    List<String> lines = new ArrayList<>();
    lines.add("packets in the file: %d, of RoCE v2: %d".formatted(frames, packets));
    if (!checksumsCount()) {
      lines.add(
          "%d of %d ICRCs are wrong, so they are not judged: the packets may have been captured"
                  .formatted(bad, bad + good)
              + " before they were computed");
    }
    return lines;
  }

  /** How many RoCE packets the file has. */
  long packets() {
    return packets;
  }

  /** The ladders, each a list of lines. */
  List<List<String>> ladders() {
    List<List<String>> all = new ArrayList<>();
    ladders.values().stream()
        .map(Ladder::lines)
        .filter(lines -> !lines.isEmpty())
        .forEach(all::add);
    if (!strays.isEmpty()) {
      List<String> lines = new ArrayList<>();
      lines.add("Damaged packets, to queue pairs that get no others:");
      lines.addAll(strays);
      if (moreStrays > 0) {
        lines.add("  and " + moreStrays + " more");
      }
      all.add(lines);
    }
    return all;
  }

  /** The statistics of each conversation, as lines. */
  List<List<String>> statistics() {
    return ladders.keySet().stream().map(c -> c.statistics(startNanos)).toList();
  }

  /** Why the file could not be read to its end; null if it could. */
  @Nullable CaptureFormatException end() {
    return end;
  }
}
