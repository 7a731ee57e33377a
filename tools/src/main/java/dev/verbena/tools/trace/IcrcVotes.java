package dev.verbena.tools.trace;

import dev.verbena.tools.trace.TracedPacket.Checksum;
import dev.verbena.wire.Address;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether wrong ICRCs are damage, for each sender: adapters that capture what they send have not
 * computed it yet, but that of what they receive is right.
 */
final class IcrcVotes {
  /** With fewer packets a sender may be an address that damage has made, so all are asked. */
  private static final int ENOUGH = 8;

  /** Senders that the summary names. */
  private static final int MOST_NAMED = 20;

  private final Map<Address, Votes> senders = new LinkedHashMap<>();
  private final Votes all = new Votes();

  /** Looks at a packet. */
  void add(TracedPacket packet) {
    if (packet.checksum() == Checksum.GOOD || packet.checksum() == Checksum.BAD) {
      boolean good = packet.checksum() == Checksum.GOOD;
      senders.computeIfAbsent(packet.to().src(), src -> new Votes()).add(good);
      all.add(good);
    }
  }

  /** Whether a wrong ICRC of this sender is damage. */
  boolean count(Address src) {
    Votes own = senders.get(src);
    if (own == null || own.total() < ENOUGH) {
      return all.count();
    }
    return own.count();
  }

  /** Says which senders' ICRCs are not judged. */
  void addTo(List<String> lines) {
    List<Address> unjudged = senders.keySet().stream().filter(src -> !count(src)).toList();
    for (Address src : unjudged.subList(0, Math.min(unjudged.size(), MOST_NAMED))) {
      Votes votes = senders.getOrDefault(src, all);
      lines.add(
          "%d of %d ICRCs from %s are wrong, so they are not judged: the packets may have been"
                  .formatted(votes.bad, votes.total(), src)
              + " captured before they were computed");
    }
    if (unjudged.size() > MOST_NAMED) {
      lines.add("nor are those of " + (unjudged.size() - MOST_NAMED) + " more senders");
    }
  }

  private static final class Votes {
    private long good;
    private long bad;

    void add(boolean isGood) {
      good += isGood ? 1 : 0;
      bad += isGood ? 0 : 1;
    }

    long total() {
      return good + bad;
    }

    boolean count() {
      return good >= bad;
    }
  }
}
