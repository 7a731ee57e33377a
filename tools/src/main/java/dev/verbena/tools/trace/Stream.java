package dev.verbena.tools.trace;

import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.CapturedFrame;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import dev.verbena.wire.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All packets to one queue pair from one address, and what they tell: requests, and answers to the
 * requests that go the other way.
 */
final class Stream {
  /** The remark on a packet whose PSN was seen before. */
  static final String SENT_AGAIN = "sent again";

  /** The smallest path MTU; a READ takes the most PSNs with it. */
  static final int LEAST_MTU = 256;

  private final Direction to;
  private final int mtu;
  private final PsnProgress requests = new PsnProgress();
  private final PsnProgress answers = new PsnProgress();
  private final Psns requestPsns = new Psns();
  private final Psns answerPsns = new Psns();
  private final Map<String, Long> refusals = new TreeMap<>();
  private boolean responseGoesOn;
  private long mayJump;
  private long packets;
  private long payload;
  private long again;
  private long late;
  private long congestionNotifications;
  private long badChecksums;
  private long dropped;
  private long malformed;
  private long firstNanos = CapturedFrame.NO_TIME;
  private long lastNanos = CapturedFrame.NO_TIME;

  /**
   * @param mtu the path MTU, as far as the capture shows it; 0 if not
   */
  Stream(Direction to, int mtu) {
    this.to = to;
    this.mtu = mtu;
  }

  Direction to() {
    return to;
  }

  /** Counts a packet, and returns what is remarkable about it. */
  List<String> take(TracedPacket packet, boolean checksumsCount) {
    List<String> remarks = new ArrayList<>();
    packets++;
    if (packet.nanos() != CapturedFrame.NO_TIME) {
      firstNanos = firstNanos == CapturedFrame.NO_TIME ? packet.nanos() : firstNanos;
      lastNanos = packet.nanos();
    }
    dropped += packet.dropped() ? 1 : 0;
    Opcode.Row row = packet.row();
    if (row == null) {
      malformed++;
    } else if (checksumsCount && packet.checksum() == TracedPacket.Checksum.BAD) {
      // Its receiver drops it, and any of its fields may be wrong.
      badChecksums++;
      remarks.add("wrong ICRC");
    } else {
      payload += packet.payload();
      takeSound(packet, row, remarks);
    }
    if (packet.congested()) {
      remarks.add("congestion met");
    }
    if (!packet.comment().isEmpty()) {
      remarks.add(Ascii.printable(packet.comment()));
    }
    return remarks;
  }

  private void takeSound(TracedPacket packet, Opcode.Row row, List<String> remarks) {
    if (!row.operation.isOfMessage) {
      congestionNotifications += row.operation == Operation.CNP ? 1 : 0;
      return;
    }
    (row.isRequest ? requestPsns : answerPsns).take(packet.psn(), packet.psns());
    // The PSNs of a datagram sender go on whoever it sends to.
    if (row.transport == Transport.UD) {
      return;
    }
    if (row.isRequest) {
      request(packet, row, remarks);
    } else if (packet.syndrome() < 0 || AethSyndrome.isAck(packet.syndrome())) {
      answer(packet, row, remarks);
    } else {
      refusals.merge(PacketText.refusal(packet.syndrome()), 1L, Long::sum);
    }
  }

  private void request(TracedPacket packet, Opcode.Row row, List<String> remarks) {
    boolean isRead = row.operation == Operation.READ_REQUEST;
    long count = isRead && mtu > 0 ? Psn.count(packet.messageLength(), mtu) : packet.psns();
    PsnProgress.Place place = requests.take(packet.psn(), count, mayJump);
    if (place != PsnProgress.Place.AGAIN) {
      mayJump = isRead && mtu == 0 ? Psn.count(packet.messageLength(), LEAST_MTU) - 1 : 0;
    }
    remark(place, requests, packet, remarks);
  }

  /**
   * Answers leave out the PSNs of requests that need none, but not within the response to a READ.
   */
  private void answer(TracedPacket packet, Opcode.Row row, List<String> remarks) {
    boolean isData = row.operation == Operation.READ_RESPONSE;
    boolean inside = isData && !row.startsMessage;
    long mayJump = inside || responseGoesOn ? 0 : Psn.MAX_OUTSTANDING;
    PsnProgress.Place place = answers.take(packet.psn(), packet.psns(), mayJump);
    if (place == PsnProgress.Place.NEW) {
      responseGoesOn = isData && !row.endsMessage;
    }
    remark(place, answers, packet, remarks);
  }

  private void remark(
      PsnProgress.Place place, PsnProgress progress, TracedPacket packet, List<String> remarks) {
    switch (place) {
      case NEW -> {
        long gap = progress.lastGap();
        if (gap > 0) {
          int first = Psn.add(packet.psn(), (int) -gap);
          remarks.add(
              gap == 1
                  ? "gap: psn " + first + " is missing"
                  : "gap: psn %d to %d are missing".formatted(first, Psn.add(packet.psn(), -1)));
        }
      }
      case AGAIN -> {
        again++;
        remarks.add(SENT_AGAIN);
      }
      case LATE -> {
        late++;
        remarks.add("late: fills the gap");
      }
      case RESTART -> remarks.add("a new range of PSNs");
    }
  }

  /** The statistics, as lines. */
  List<String> statistics(long startNanos) {
    List<String> lines = new ArrayList<>();
    lines.add("  packets: %d, bytes of payload: %d".formatted(packets, payload));
    if (firstNanos != CapturedFrame.NO_TIME) {
      lines.add(
          "  seconds: %s to %s, which is %s"
              .formatted(
                  PacketText.time(firstNanos, startNanos),
                  PacketText.time(lastNanos, startNanos),
                  PacketText.time(lastNanos, firstNanos)));
    }
    requestPsns.addTo(lines, "requests");
    answerPsns.addTo(lines, "answers");
    count(lines, "sent again (PSN seen before)", again);
    count(lines, "late (behind higher PSNs, as what is sent again after a loss)", late);
    count(lines, "gaps", requests.gaps() + answers.gaps());
    count(lines, "PSNs that never came", requests.missing() + answers.missing());
    refusals.forEach((kind, number) -> count(lines, kind, number));
    count(lines, "dropped by a fault, so they never left", dropped);
    count(lines, "CNP", congestionNotifications);
    count(lines, "wrong ICRC (a receiver would drop it)", badChecksums);
    count(lines, "malformed or cut off", malformed);
    return lines;
  }

  private static void count(List<String> lines, String what, long number) {
    if (number > 0) {
      lines.add("  " + what + ": " + number);
    }
  }

  /** The first and the last PSN of some packets. */
  private static final class Psns {
    private int first = -1;
    private int last;

    void take(int psn, int count) {
      first = first < 0 ? psn : first;
      last = Psn.add(psn, count - 1);
    }

    void addTo(List<String> lines, String whose) {
      if (first >= 0) {
        lines.add("  psn of %s: %d to %d".formatted(whose, first, last));
      }
    }
  }
}
