package dev.verbena.tck.torture;

import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.Mtu;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a run.
 *
 * @param left device that posts everything but receives
 * @param right its peer
 * @param pairs pairs of queue pairs
 * @param operations after which it ends, over all pairs
 * @param seconds after which it ends anyway; as the right ends, without a caller
 * @param traffic what the pairs do
 * @param serve TCP port at which to wait for the process that posts, or null
 * @param peer the process with the right ends, if it is another one
 * @param attacks what a stranger does meanwhile
 * @param stranger his address
 */
record Options(
    DeviceSpec left,
    DeviceSpec right,
    int pairs,
    long operations,
    int seconds,
    Traffic traffic,
    @Nullable Integer serve,
    @Nullable InetSocketAddress peer,
    Set<Attack> attacks,
    InetAddress stranger) {

  static final String HELP =
      """
      torture [NAME=VALUE...]
        left, right   devices, as soft:ADDRESS?faults=...   soft:127.99.0.1?link=udp, ...2
        faults        for both sides, with the seeds 2*seed and 2*seed+1
        pairs 4       batch 16      ops 20000     seconds 60     size 65536
        mtu 1024      timeout 13    retries 7     seed (of the clock)
        attack        what a stranger does meanwhile, all or some of
                      noise,mutated,replayed,stranger,blind,nowhere; both ends in this
                      process, IPv4; copies all packets to a temporary file
        stranger      his address   127.99.0.3
      In two processes, of which both need the same devices:
        serve=PORT    to be the right ends, until nobody calls for so many seconds; 0 is any port
        peer=PORT     to post to the process that serves there
      """;

  /** Reads {@link #HELP}'s options. */
  static Options parse(String... arguments) {
    Map<String, String> given = new HashMap<>();
    for (String argument : arguments) {
      int end = argument.indexOf('=');
      if (end < 0) {
        throw new IllegalArgumentException(argument + " is not NAME=VALUE\n" + HELP);
      }
      given.put(argument.substring(0, end), argument.substring(end + 1));
    }
    long seed = number(given, "seed", System.nanoTime() & 0xffff);
    String faults = given.remove("faults");
    Traffic traffic =
        new Traffic(
            number(given, "batch", 16, 1, 1 << 12),
            number(given, "size", 1 << 16, 0, Pattern.LONGEST),
            Mtu.valueOf("MTU_" + number(given, "mtu", 1024)),
            number(given, "timeout", 13, 0, 31),
            number(given, "retries", 7, 0, 7),
            seed);
    Options options =
        new Options(
            device(given, "left", "soft:127.99.0.1", faults, 2 * seed),
            device(given, "right", "soft:127.99.0.2", faults, 2 * seed + 1),
            number(given, "pairs", 4, 1, Script.LANES),
            number(given, "ops", 20_000),
            number(given, "seconds", 60, 0, Integer.MAX_VALUE),
            traffic,
            port(given.remove("serve")),
            address(given.remove("peer")),
            attacks(given.remove("attack")),
            InetAddress.ofLiteral(text(given, "stranger", "127.99.0.3")));
    if (!given.isEmpty()) {
      throw new IllegalArgumentException("unknown: " + given.keySet() + "\n" + HELP);
    }
    if (options.peer != null && !options.attacks.isEmpty()) {
      throw new IllegalArgumentException("attack needs both ends in this process, without peer");
    }
    return options;
  }

  private static DeviceSpec device(
      Map<String, String> given, String name, String usual, @Nullable String faults, long seed) {
    String text = given.remove(name);
    DeviceSpec spec =
        text == null ? DeviceSpec.parse(usual).link(LinkKind.UDP) : DeviceSpec.parse(text);
    return faults == null ? spec : spec.option("faults", faults + ",seed:" + seed);
  }

  private static long number(Map<String, String> given, String name, long usual) {
    return Long.parseLong(text(given, name, "" + usual));
  }

  private static int number(
      Map<String, String> given, String name, int usual, int least, int most) {
    long number = number(given, name, usual);
    if (number < least || number > most) {
      throw new IllegalArgumentException(
          "%s=%d is not %d to %d%n%s".formatted(name, number, least, most, HELP));
    }
    return (int) number;
  }

  private static String text(Map<String, String> given, String name, String usual) {
    String text = given.remove(name);
    return text == null ? usual : text;
  }

  private static Set<Attack> attacks(@Nullable String text) {
    if (text == null) {
      return Set.of();
    }
    if (text.equals("all")) {
      return EnumSet.allOf(Attack.class);
    }
    Set<Attack> attacks = EnumSet.noneOf(Attack.class);
    for (String name : text.split(",", -1)) {
      attacks.add(Attack.valueOf(name.toUpperCase(Locale.ROOT)));
    }
    return attacks;
  }

  private static @Nullable Integer port(@Nullable String text) {
    return text == null ? null : Integer.valueOf(text);
  }

  private static @Nullable InetSocketAddress address(@Nullable String text) {
    return text == null
        ? null
        : new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(text));
  }

  /** {@link #seconds} in nanoseconds. */
  long nanos() {
    return seconds * 1_000_000_000L;
  }
}
