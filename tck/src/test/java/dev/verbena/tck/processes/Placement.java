package dev.verbena.tck.processes;

import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Where a program has its first region that a peer may write.
 *
 * @param address of the region
 * @param distance how far behind it the next one of the same kind is, in bytes
 */
record Placement(long address, long distance) {
  /** How a program gets its regions. */
  enum Kind {
    SMALL_OF_ALLOC_MR(1 << 12, false),
    SMALL_OF_ARENA(1 << 12, true),
    LARGE_OF_ALLOC_MR(1 << 20, false),
    LARGE_OF_ARENA(1 << 20, true);

    private final int bytes;
    private final boolean fromArena;

    Kind(int bytes, boolean fromArena) {
      this.bytes = bytes;
      this.fromArena = fromArena;
    }

    private MemoryRegion region(ProtectionDomain pd) {
      return fromArena
          ? pd.regMr(Arena.ofAuto().allocate(bytes), Access.LOCAL_WRITE, Access.REMOTE_WRITE)
          : pd.allocMr(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }
  }

  private static final String WORD = "placement";

  /** The largest unit in which the C library asks for memory: what it aligns its arenas to. */
  private static final int UNIT_BITS = 26;

  private static final long UNIT_MASK = (1L << UNIT_BITS) - 1;

  /**
   * Makes two regions of a kind, and prints their place for the parent process, which names the
   * device's address, too.
   */
  public static void main(String[] arguments) {
    Kind kind = Kind.valueOf(arguments[0]);
    try (Context context = Devices.open(TckLink.SHM.device(arguments[1], 0));
        ProtectionDomain pd = context.allocPd()) {
      long address = kind.region(pd).addr();
      System.out.printf("%s %d %d%n", WORD, address, kind.region(pd).addr() - address);
    }
  }

  /** Parses the output of {@link #main}. */
  static Placement parse(String output) {
    String line = output.lines().filter(text -> text.startsWith(WORD)).findFirst().orElseThrow();
    String[] words = line.split(" ", -1);
    return new Placement(Long.parseLong(words[1]), Long.parseLong(words[2]));
  }

  /** What somebody who knows the program learns from other starts. */
  static String describe(Kind kind, List<Placement> starts) {
    long common = starts.stream().mapToLong(Placement::address).reduce(-1, (a, b) -> a & b);
    long any = starts.stream().mapToLong(Placement::address).reduce(0, (a, b) -> a | b);
    return """
      bits that varied: %s
      addresses: %s
      bits 0 to %d: %s
      best guess of these: within the region in %d
      distances of the next region: %s
    """
        .formatted(
            bits(any & ~common),
            agreements(starts, Placement::address),
            UNIT_BITS - 1,
            agreements(starts, start -> start.address & UNIT_MASK),
            bestGuess(kind, starts),
            agreements(starts, Placement::distance));
  }

  /** As "12 to 20, 26 to 39". */
  private static String bits(long mask) {
    StringBuilder text = new StringBuilder();
    for (int from = 0, to; from < Long.SIZE; from = to + 1) {
      for (to = from; (mask >>> to & 1) != 0; to++) {}
      if (to > from) {
        text.append(text.isEmpty() ? "" : ", ").append(from);
        text.append(to > from + 1 ? " to " + (to - 1) : "");
      }
    }
    return text.toString();
  }

  private static String agreements(List<Placement> starts, ToLongFunction<Placement> value) {
    Map<Long, Long> counts =
        starts.stream()
            .collect(
                Collectors.groupingBy(value::applyAsLong, TreeMap::new, Collectors.counting()));
    Map.Entry<Long, Long> most =
        counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    long agreeing = counts.values().stream().mapToLong(Placement::pairs).sum();
    return "%d different, %d of %d pairs of starts agree; most frequent is %s%x, in %d"
        .formatted(
            counts.size(),
            agreeing,
            pairs(starts.size()),
            most.getKey() < 0 ? "-0x" : "0x",
            Math.abs(most.getKey()),
            most.getValue());
  }

  /** The most regions that one address is in, if all were in the same unit. */
  private static long bestGuess(Kind kind, List<Placement> starts) {
    // Of an address that is in many regions, the nearest beginning before it is in all of them.
    return starts.stream()
        .mapToLong(guess -> starts.stream().filter(start -> start.isHitBy(guess, kind)).count())
        .max()
        .orElseThrow();
  }

  private boolean isHitBy(Placement guess, Kind kind) {
    return ((guess.address - address) & UNIT_MASK) < kind.bytes;
  }

  private static long pairs(long count) {
    return count * (count - 1) / 2;
  }
}
