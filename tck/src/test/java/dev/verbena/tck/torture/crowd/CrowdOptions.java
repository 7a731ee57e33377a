package dev.verbena.tck.torture.crowd;

import dev.verbena.tck.torture.Bars;
import dev.verbena.tck.torture.Member;
import dev.verbena.tck.torture.Options;
import dev.verbena.tck.torture.Report;
import dev.verbena.verbs.FaultSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a crowd.
 *
 * @param processes its members
 * @param chaos what happens to them
 * @param seconds after which it ends; each kind of chaos comes at least once
 * @param seed of the chaos and of all traffic
 * @param link the link of all devices
 * @param faults of all devices, without a seed; or null
 * @param java more options for the members' JVMs
 * @param traffic further options, which the members read
 */
record CrowdOptions(
    int processes,
    Set<Chaos> chaos,
    int seconds,
    long seed,
    String link,
    @Nullable String faults,
    List<String> java,
    List<String> traffic) {

  private static final String HELP =
      """
      torture processes=N [NAME=VALUE...]
        processes     2 to 8, each with a device, whose lanes post to all others
        chaos         what happens to one of them at a time, all or some of
                      kill,stop,device,heap,native,descriptors
        seconds 60    after each kind of chaos has come once
        link udp      or shm, auto
        faults        of all devices
        seed          of the clock
        java          more options for their JVMs, with blanks between them
        and, for the lanes between any two, as in a run without processes:
                      batch, mtu, retries, mischief and, with these values if not given,\
      """;

  /** The options of {@link dev.verbena.tck.torture.Torture} that differ in a crowd. */
  private static final Map<String, String> LANES =
      Map.of("service", "all", "pairs", "4", "size", "8192", "timeout", "16");

  /** All of those that have a meaning for lanes between members. */
  private static final Set<String> FOR_LANES =
      Set.of("service", "pairs", "size", "timeout", "batch", "mtu", "retries", "mischief");

  /** Reads {@link #HELP}'s options. */
  static CrowdOptions parse(String... arguments) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String argument : arguments) {
      int end = argument.indexOf('=');
      if (end < 0) {
        throw new IllegalArgumentException(argument + " is not NAME=VALUE\n" + help());
      }
      given.put(argument.substring(0, end), argument.substring(end + 1));
    }
    int processes = (int) number(given, "processes", 2);
    if (processes < 2 || processes > Member.MOST) {
      throw new IllegalArgumentException("processes is not 2 to " + Member.MOST + "\n" + help());
    }
    Set<Chaos> chaos = Options.some("chaos", Chaos.class, given.remove("chaos"));
    long seconds = number(given, "seconds", 60);
    long seed = number(given, "seed", System.nanoTime() & 0xffff);
    String link = text(given, "link", "udp");
    String faults = given.remove("faults");
    String java = text(given, "java", "");
    LANES.forEach(given::putIfAbsent);
    if (!FOR_LANES.containsAll(given.keySet())) {
      given.keySet().removeAll(FOR_LANES);
      throw new IllegalArgumentException("not for a crowd: " + given.keySet() + "\n" + help());
    }
    List<String> traffic = new ArrayList<>();
    given.forEach((name, value) -> traffic.add(name + "=" + value));
    CrowdOptions options =
        new CrowdOptions(
            processes,
            chaos,
            Math.toIntExact(seconds),
            seed,
            link,
            faults,
            java.isEmpty() ? List.of() : List.of(java.split(" +")),
            traffic);
    int most = Member.mostPairs();
    if (options.lanes().pairs() > most) {
      throw new IllegalArgumentException("in a crowd there are at most " + most + " pairs");
    }
    return options;
  }

  private static String help() {
    return HELP + " " + LANES;
  }

  private static String text(Map<String, String> given, String name, String usual) {
    String text = given.remove(name);
    return text == null ? usual : text;
  }

  private static long number(Map<String, String> given, String name, long usual) {
    return Long.parseLong(text(given, name, "" + usual));
  }

  /** The share of packets that the faults drop or damage. */
  double shareOfLosses() {
    return Options.shareOfLosses(faults == null ? FaultSpec.NONE : FaultSpec.parse(faults));
  }

  /** Those of the lanes between two members. */
  Options lanes() {
    List<String> all = new ArrayList<>(traffic);
    if (faults != null) {
      all.add("faults=" + faults);
    }
    return Options.parse(all.toArray(String[]::new));
  }

  /** What of all members' work is worse than it may be; nothing if all is well. */
  List<String> breaches(Report total) {
    List<String> breaches = new ArrayList<>();
    long allowed = Bars.mayBeLost(shareOfLosses(), total.deeds().all());
    if (total.lost() > allowed) {
      breaches.add("only %d connections may be lost".formatted(allowed));
    }
    Options lanes = lanes();
    breaches.addAll(Bars.missing(lanes, total.deeds()));
    // A socket may overflow while its process is stopped.
    breaches.addAll(Bars.silence(lanes, total.arrived(), total.announced(), true));
    breaches.addAll(Bars.standstill(total.longestGap(), lanes));
    return breaches;
  }

  /** The device of a member. */
  String device(String address, int number) {
    String device = "soft:" + address + "?link=" + link;
    return faults == null
        ? device
        : device + "&faults=" + faults + ",seed:" + (seed * Member.MOST + number);
  }
}
