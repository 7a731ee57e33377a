package dev.verbena.tools.trace;

import dev.verbena.wire.Address;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Transport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which queue pairs talk to each other. Only datagrams name their sender; otherwise an
 * answer tells it, as it repeats a PSN of the requests that go the other way.
 */
final class Conversations {
  /** So many answers to a queue pair are looked at: enough to tell it from others. */
  private static final int MOST_ANSWERS = 64;

  /** So many requesters are looked at for an answer; with more, forged captures cost too much. */
  private static final int MOST_CANDIDATES = 1024;

  private final Map<Direction, Way> ways = new LinkedHashMap<>();

  private final Map<Ends, List<Way>> between = new HashMap<>();

  private final Map<Votes, Integer> votes = new LinkedHashMap<>();

  /** Looks at a packet whose fields are right. */
  void see(TracedPacket packet) {
    Opcode.Row row = packet.row();
    if (row == null) {
      return;
    }
    Way way = ways.computeIfAbsent(packet.to(), this::open);
    if (row.hasPayload && !row.endsMessage) {
      way.mtu = Math.max(way.mtu, packet.payload() / packet.psns());
    }
    if (!row.operation.isOfMessage || row.transport == Transport.UD) {
      return;
    }
    if (row.isRequest) {
      way.sent(packet, row);
    } else if (way.answers < MOST_ANSWERS
        && (packet.syndrome() < 0 || AethSyndrome.isAck(packet.syndrome()))) {
      way.answers++;
      vote(way, packet);
    }
  }

  private Way open(Direction to) {
    Way way = new Way(to);
    between.computeIfAbsent(new Ends(to.src(), to.dst()), key -> new ArrayList<>()).add(way);
    return way;
  }

  private void vote(Way answered, TracedPacket answer) {
    Ends back = new Ends(/* src= */ answered.to.dst(), /* dst= */ answered.to.src());
    List<Way> candidates = between.getOrDefault(back, List.of());
    for (Way way : candidates.subList(0, Math.min(candidates.size(), MOST_CANDIDATES))) {
      if (way.requests && Psn.isWithin(answer.psn(), way.first, way.end)) {
        votes.merge(new Votes(way, answered), 1, Integer::sum);
      }
    }
  }

  /** The conversations, in the order of their first packets. */
  List<Conversation> find() {
    pairDatagrams();
    votes.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(Map.Entry::getKey)
        // Few queue pairs are connected to themselves.
        .sorted(Comparator.comparing(pair -> pair.requests == pair.answers))
        .forEach(pair -> pair(pair.requests, pair.answers));
    List<Conversation> found = new ArrayList<>();
    for (Way way : ways.values()) {
      Way other = way.other;
      if (!way.listed) {
        way.listed = true;
        int mtu = other == null ? way.mtu : Math.max(way.mtu, other.mtu);
        Stream back = null;
        if (other != null && other != way) {
          other.listed = true;
          back = new Stream(other.to, mtu);
        }
        found.add(new Conversation(new Stream(way.to, mtu), back));
      }
    }
    return found;
  }

  private void pairDatagrams() {
    for (Way way : ways.values()) {
      Way back = way.to.srcQpn() == Direction.NOT_SAID ? null : ways.get(way.to.back());
      if (back != null) {
        pair(way, back);
      }
    }
  }

  private static void pair(Way one, Way two) {
    if (one.other == null && two.other == null) {
      one.other = two;
      two.other = one;
    }
  }

  private record Ends(Address src, Address dst) {}

  /** A queue pair that sends requests, and the one that gets answers to them. */
  private record Votes(Way requests, Way answers) {}

  /** What is known of the packets in one direction. */
  private static final class Way {
    private final Direction to;
    private @Nullable Way other;
    private boolean listed;
    private boolean requests;
    private int first;
    private int end;
    private int mtu;
    private int answers;

    Way(Direction to) {
      this.to = to;
    }

    void sent(TracedPacket packet, Opcode.Row row) {
      int psn = packet.psn();
      int behind =
          row.operation == Operation.READ_REQUEST
              ? Psn.add(psn, Psn.count(packet.messageLength(), Stream.LEAST_MTU))
              : Psn.add(psn, packet.psns());
      if (!requests || Psn.diff(psn, end) > Psn.MAX_OUTSTANDING / 2) {
        first = psn;
        end = behind;
      } else if (Psn.compare(behind, end) > 0) {
        end = behind;
      }
      requests = true;
    }
  }
}
