package dev.verbena.soft.link;

/** Opens a kind of link at an address. */
@FunctionalInterface
interface LinkOpener {
  Link open(long hi, long lo, LinkCounters counters);
}
