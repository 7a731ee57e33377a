package dev.verbena.soft.device;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.RunsLink;
import dev.verbena.soft.link.wrap.FaultLink;
import dev.verbena.verbs.FaultSpec;

/** How a link sends several packets as one. */
public enum Packing {
  /** It does not. */
  SINGLE,
  /** A packet may stand for several, and has no ICRC. */
  LONG,
  /** In runs, which faults cut before they leave. */
  RUNS,
  /**
   * In runs, which faults cut on the way, so that the IDs in them have gaps. Over IPv4 a receiver
   * drops some packets more ({@code IcrcTrust}).
   */
  RUNS_CUT_ON_THE_WAY;

  /** Whether a packet may be damaged: where it has an ICRC. */
  public boolean mayDamage() {
    return this != LONG;
  }

  /**
   * Puts faults and packing in front of a link.
   *
   * @param mostSegments datagrams of a run
   */
  Link over(Link link, int mostSegments, FaultSpec faults, LinkCounters counters) {
    return switch (this) {
      case SINGLE -> faulty(link, faults, counters);
      case LONG -> faulty(new LongLink(link), faults, counters);
      case RUNS -> faulty(new RunsLink(link, mostSegments), faults, counters);
      case RUNS_CUT_ON_THE_WAY -> new RunsLink(faulty(link, faults, counters), mostSegments);
    };
  }

  private static Link faulty(Link link, FaultSpec faults, LinkCounters counters) {
    return faults.isActive() ? FaultLink.over(link, faults, counters) : link;
  }
}
