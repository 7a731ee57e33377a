package dev.verbena.tools.trace;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.trace.TracedPacket.Checksum;
import dev.verbena.wire.CaptureFormatException;
import dev.verbena.wire.CapturedFrame;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ladders and statistics of one file. The file is read several times instead of being kept in the
 * heap: first to see whether its ICRCs can be judged, then to find out who talks to whom.
 */
public final class Trace {
  /** Queue pairs that a message names. */
  private static final int MOST_NAMED = 20;

  private final MemorySegment file;
  private final Excerpt excerpt;
  private final long most;
  private final boolean countsEachEnd;
  private long frames;
  private long packets;
  private long skipped;
  private Optional<CaptureFormatException> firstSkipped = Optional.empty();
  private final IcrcVotes icrcVotes = new IcrcVotes();
  private long startNanos = CapturedFrame.NO_TIME;
  private @Nullable CaptureFormatException end;

  /** The conversations to show, with their ladders. */
  private final Map<Conversation, Ladder> ladders = new LinkedHashMap<>();

  /** The shown conversation of a direction. */
  private final Map<Direction, Conversation> shown = new HashMap<>();

  /** The same for packets that cannot be read, so that their sender's queue pair is not known. */
  private final Map<Direction, Conversation> unread = new HashMap<>();

  private final List<String> strays = new ArrayList<>();
  private long moreStrays;
  private long ofNoConversation;

  /**
   * @param file the whole file
   * @param qpns the queue pairs to show; none for all
   * @param most lines of a ladder; 0 for no limit
   * @throws CaptureFormatException if the file is no capture; if it only ends in an error, {@link
   *     #end} has that
   */
  Trace(MemorySegment file, List<Integer> qpns, Excerpt excerpt, long most)
      throws CaptureFormatException {
    this(file, qpns, excerpt, most, false);
  }

  private Trace(
      MemorySegment file, List<Integer> qpns, Excerpt excerpt, long most, boolean countsEachEnd)
      throws CaptureFormatException {
    this.countsEachEnd = countsEachEnd;
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
    each(packet -> take(packet, qpns.isEmpty() || qpns.contains(packet.to().qpn())));
  }

  /** Draws all ladders of a capture file. */
  public static void draw(Path capture, Path image) throws IOException {
    Files.writeString(image, whole(capture, false, Trace::svg));
  }

  /** The same with numbers that count the packets of each sender for itself. */
  public static void drawEachEnd(Path capture, Path image) throws IOException {
    Files.writeString(image, whole(capture, true, Trace::svg));
  }

  /** All ladders of a capture file as lines, with numbers like {@link #drawEachEnd}. */
  public static List<String> ladders(Path capture) throws IOException {
    return whole(capture, true, trace -> trace.ladders().stream().flatMap(List::stream).toList());
  }

  private static <T> T whole(Path capture, boolean countsEachEnd, Function<Trace, T> result)
      throws IOException {
    try (FileChannel channel = FileChannel.open(capture);
        Arena arena = Arena.ofConfined()) {
      MemorySegment file = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      Trace trace = new Trace(file, List.of(), Excerpt.of(null, null), 0, countsEachEnd);
      return result.apply(trace);
    } catch (CaptureFormatException e) {
      throw ToolException.failure(capture + ": " + e.getMessage(), e);
    }
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
    skipped = capture.skipped();
    firstSkipped = capture.firstSkipped();
  }

  private void count(TracedPacket packet) {
    if (startNanos == CapturedFrame.NO_TIME) {
      startNanos = packet.nanos();
    }
    packets++;
    icrcVotes.add(packet);
  }

  private boolean isSound(TracedPacket packet) {
    return packet.row() != null
        && !(packet.checksum() == Checksum.BAD && icrcVotes.count(packet.to().src()));
  }

  private void choose(List<Conversation> all, List<Integer> qpns) {
    for (Conversation conversation : all) {
      if (qpns.isEmpty() || conversation.qpns().stream().anyMatch(qpns::contains)) {
        ladders.put(conversation, new Ladder(conversation, most, countsEachEnd));
        show(conversation.there().to(), conversation);
        Stream back = conversation.back();
        if (back != null) {
          show(back.to(), conversation);
        }
      }
    }
    if (ladders.isEmpty() && !all.isEmpty()) {
      throw ToolException.failure(
          "no packet to or from queue pair %s; the file has %s%s"
              .formatted(
                  hex(qpns),
                  hex(all.stream().flatMap(c -> c.qpns().stream()).toList()),
                  end == null ? "" : ", and then ends in an error: " + end.getMessage()));
    }
  }

  private void show(Direction to, Conversation conversation) {
    shown.put(to, conversation);
    unread.putIfAbsent(to.unread(), conversation);
  }

  private static String hex(List<Integer> qpns) {
    TreeSet<Integer> all = new TreeSet<>(qpns);
    int more = all.size() - MOST_NAMED;
    return all.stream()
            .limit(MOST_NAMED)
            .map(qpn -> "0x" + Integer.toHexString(qpn))
            .collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private void take(TracedPacket packet, boolean withStrays) {
    Conversation conversation = (packet.row() == null ? unread : shown).get(packet.to());
    Ladder ladder = conversation == null ? null : ladders.get(conversation);
    if (conversation == null || ladder == null) {
      if (withStrays) {
        ofNoConversation++;
        if (excerpt.has(packet)) {
          stray(packet);
        }
      }
      return;
    }
    boolean toTheRight = packet.to().leadsWhere(conversation.there().to());
    Stream back = conversation.back();
    Stream stream = toTheRight || back == null ? conversation.there() : back;
    List<String> remarks = stream.take(packet, icrcVotes.count(packet.to().src()));
    if (excerpt.has(packet)) {
      ladder.add(packet, toTheRight, remarks, startNanos);
    }
  }

  /** As damage has changed who the packet is for, or hidden it. */
  private void stray(TracedPacket packet) {
    if (most > 0 && strays.size() >= most) {
      moreStrays++;
      return;
    }
    Direction to = packet.to();
    strays.add(
        Ladder.line(
            packet,
            startNanos,
            "%s -> %s: %s%s"
                .formatted(
                    to.src(),
                    Direction.end(to.dst(), to.qpn()),
                    PacketText.of(packet),
                    packet.comment().isEmpty() ? "" : "  " + Ascii.printable(packet.comment()))));
  }

  /** How many packets there are, and what must be known about them. */
  List<String> summary() {
    List<String> lines = new ArrayList<>();
    lines.add("packets in the file: %d, of RoCE v2: %d".formatted(frames, packets));
    firstSkipped.ifPresent(
        first ->
            lines.add(
                "packets and interfaces that break the format, and were skipped: %d; the first: %s"
                    .formatted(skipped, first.getMessage())));
    icrcVotes.addTo(lines);
    if (ofNoConversation > 0) {
      lines.add(
          "damaged, malformed or cut off, of no conversation that is known: " + ofNoConversation);
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
      lines.add("Packets that belong to no conversation:");
      lines.addAll(strays);
      if (moreStrays > 0) {
        lines.add("  and " + moreStrays + " more");
      }
      all.add(lines);
    }
    return all;
  }

  /** The ladders that have packets, as an SVG image. */
  String svg() {
    return LadderImage.svg(
        ladders.values().stream().filter(ladder -> !ladder.rungs().isEmpty()).toList());
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
