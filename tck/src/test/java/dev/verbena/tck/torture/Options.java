package dev.verbena.tck.torture;

import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.VerbsException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The options of a run.
 *
 * @param left device that posts everything but receives
 * @param right its peer
 * @param pairs pairs of queue pairs
 * @param firstLane number of the first of them; a target's callers need different ones
 * @param operations after which it ends, over all pairs; null if time alone decides
 * @param seconds after which it ends anyway, and has failed if operations are missing; as the right
 *     ends, without a caller
 * @param services of the pairs, in turn
 * @param traffic what the pairs do
 * @param serve TCP port at which to wait for the process that posts, or null
 * @param peer the process with the right ends, if it is another one
 * @param attacks what a stranger does meanwhile
 * @param stranger his address
 */
public record Options(
    DeviceSpec left,
    DeviceSpec right,
    int pairs,
    int firstLane,
    @Nullable Long operations,
    int seconds,
    List<Service> services,
    Traffic traffic,
    @Nullable Integer serve,
    @Nullable InetSocketAddress peer,
    Set<Attack> attacks,
    InetAddress stranger) {

  private static final int FAILURES_IN_A_ROW = 4;

  static final String HELP =
      """
      torture [NAME=VALUE...]
        left, right   devices, as soft:ADDRESS?faults=...   soft:127.99.0.1, ...2
        link udp      for both sides, or shm, ...
        faults        for both sides, with the seeds 2*seed and 2*seed+1
        pairs 4       batch 16      size 65536
        seconds 60    for which it runs, or in which it must have done so many operations:
        ops
        lane 0        number of the first pair, if several processes post to one
        mtu 1024      timeout 13    retries 7     seed (of the clock)
        service       of the pairs in turn, all or some of rc,xrc,uc,ud; rc, but all with attack
        mischief      what targets do to themselves now and then, all or some of
                      deregister,arena,file,half_file,receives,window,stale_key,
                      give_up, and posters: local_arena,local_file
        attack        what a stranger does meanwhile, all or some of
                      noise,mutated,replayed,sealed,stranger,blind,ahead,nowhere; both
                      ends in this process, IPv4, link=udp; the latest packets, some
                      256 MB, are in a temporary file
        stranger      his address   127.99.0.3
      In two processes, of which both need the same devices:
        serve=PORT    to be the right ends, until nobody calls for so many seconds; 0 is any port
        peer=PORT     to post to the process that serves there
      """;

  /**
   * Reads the options of a program; if they are wrong, says what is, and ends it with status 2.
   *
   * @param parser throws IllegalArgumentException or VerbsException, with a text for people
   */
  public static <T> T read(String[] arguments, Function<String[], T> parser) {
    try {
      return parser.apply(arguments);
    } catch (IllegalArgumentException | VerbsException e) {
      System.err.println("torture: " + e.getMessage());
      System.exit(2);
      throw e;
    }
  }

  /** Reads {@link #HELP}'s options. */
  public static Options parse(String... arguments) {
    Map<String, String> given = new HashMap<>();
    for (String argument : arguments) {
      int end = argument.indexOf('=');
      if (end < 0) {
        throw new IllegalArgumentException(argument + " is not NAME=VALUE\n" + HELP);
      }
      given.put(argument.substring(0, end), argument.substring(end + 1));
    }
    long seed = number(given, "seed", System.nanoTime() & 0xffff);
    String link = given.remove("link");
    String faults = given.remove("faults");
    DeviceSpec left = device(given, "left", "soft:127.99.0.1", link, faults, 2 * seed);
    DeviceSpec right = device(given, "right", "soft:127.99.0.2", link, faults, 2 * seed + 1);
    Set<Attack> attacks = some("attack", Attack.class, given.remove("attack"));
    String usual = attacks.isEmpty() ? "rc" : "all";
    Set<Service> services = some("service", Service.class, text(given, "service", usual));
    Traffic traffic =
        new Traffic(
            Service.RC,
            some("mischief", Mischief.class, given.remove("mischief")),
            losesPackets(left) || losesPackets(right),
            exchangesPackets(left) || exchangesPackets(right),
            number(given, "batch", 16, 1, 1 << 12),
            number(given, "size", 1 << 16, 0, Pattern.LONGEST),
            Mtu.valueOf("MTU_" + number(given, "mtu", 1024)),
            number(given, "timeout", 13, 0, 31),
            number(given, "retries", 7, 0, 7),
            seed);
    Options options =
        new Options(
            left,
            right,
            number(given, "pairs", 4, 1, Script.LANES),
            number(given, "lane", 0, 0, Script.LANES - 1),
            operations(given.remove("ops")),
            number(given, "seconds", 60, 0, Integer.MAX_VALUE),
            List.copyOf(services),
            traffic,
            port(given.remove("serve")),
            address(given.remove("peer")),
            attacks,
            InetAddress.ofLiteral(text(given, "stranger", "127.99.0.3")));
    if (!given.isEmpty()) {
      throw new IllegalArgumentException("unknown: " + given.keySet() + "\n" + HELP);
    }
    if (services.contains(Service.UD) && (repeats(options.left) || repeats(options.right))) {
      throw new IllegalArgumentException("ud delivers a repeated packet twice: no dup with it");
    }
    if (options.firstLane + options.pairs > Script.LANES) {
      throw new IllegalArgumentException("there are " + Script.LANES + " lanes\n" + HELP);
    }
    if (options.peer != null && !options.attacks.isEmpty()) {
      throw new IllegalArgumentException("attack needs both ends in this process, without peer");
    }
    if (!options.attacks.isEmpty() && !(hasSocket(options.left) && hasSocket(options.right))) {
      throw new IllegalArgumentException(
          "attack needs link=udp at both ends: its packets come by sockets, and what neighbours in"
              + " shared memory can do is HostileNeighborTest's, in soft");
    }
    int most = options.traffic.mostPackets();
    if (!options.attacks.isEmpty()
        && services.contains(Service.UC)
        && most > Victim.MOST_UC_PACKETS) {
      throw new IllegalArgumentException(
          "attack on uc needs batches of %d packets at most, not %d"
              .formatted(Victim.MOST_UC_PACKETS, most));
    }
    return options;
  }

  private static DeviceSpec device(
      Map<String, String> given,
      String name,
      String usual,
      @Nullable String link,
      @Nullable String faults,
      long seed) {
    String text = given.remove(name);
    DeviceSpec spec =
        text == null ? DeviceSpec.parse(usual).link(LinkKind.UDP) : DeviceSpec.parse(text);
    if (link != null) {
      spec = spec.option("link", link);
    }
    return faults == null ? spec : spec.option("faults", faults + ",seed:" + seed);
  }

  private static boolean hasSocket(DeviceSpec device) {
    return LinkKind.UDP.key().equals(device.options().get("link"));
  }

  private static FaultSpec faults(DeviceSpec device) {
    String faults = device.options().get("faults");
    return faults == null ? FaultSpec.NONE : FaultSpec.parse(faults);
  }

  /** The share of packets that faults drop or damage, on the worse side. */
  double shareOfLosses() {
    return Math.max(shareOfLosses(faults(left)), shareOfLosses(faults(right)));
  }

  /** The share of packets that are dropped or damaged. */
  public static double shareOfLosses(FaultSpec faults) {
    return faults.drop() + faults.corrupt();
  }

  /**
   * The share of messages of unreliable services that arrive, at least: all of their packets must,
   * and none may overtake another.
   */
  double shareOfUnreliableArrivals() {
    return Math.min(unhurt(faults(left)), unhurt(faults(right)));
  }

  private double unhurt(FaultSpec faults) {
    int packets = traffic.mostPackets() / traffic.batch();
    double lost = Math.pow(1 - shareOfLosses(faults), packets);
    // A packet that comes late hurts the message of the one that overtakes it, too.
    return lost * Math.pow(1 - faults.reorder() - faults.delay(), 2.0 * packets);
  }

  private static boolean repeats(DeviceSpec device) {
    return faults(device).duplicate() > 0;
  }

  private static boolean losesPackets(DeviceSpec device) {
    FaultSpec faults = faults(device);
    return faults.drop() > 0 || faults.corrupt() > 0 || !faults.dropNth().isEmpty();
  }

  private static boolean exchangesPackets(DeviceSpec device) {
    FaultSpec faults = faults(device);
    return faults.reorder() > 0 || faults.delay() > 0;
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

  /**
   * The constants that a list names: all of them if it says so, none without a list.
   *
   * @param option what the list was given for
   */
  public static <E extends Enum<E>> Set<E> some(
      String option, Class<E> type, @Nullable String list) {
    if (list == null) {
      return EnumSet.noneOf(type);
    }
    if (list.equals("all")) {
      return EnumSet.allOf(type);
    }
    Set<E> some = EnumSet.noneOf(type);
    for (String name : list.split(",", -1)) {
      try {
        some.add(Enum.valueOf(type, name.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        String known = EnumSet.allOf(type).toString().toLowerCase(Locale.ROOT);
        throw new IllegalArgumentException(
            option + "=" + name + " is none of " + known + " or all", e);
      }
    }
    return some;
  }

  private static @Nullable Long operations(@Nullable String text) {
    return text == null ? null : Long.valueOf(text);
  }

  private static @Nullable Integer port(@Nullable String text) {
    return text == null ? null : Integer.valueOf(text);
  }

  private static @Nullable InetSocketAddress address(@Nullable String text) {
    return text == null ? null : loopback(Integer.parseInt(text));
  }

  /** Where a process on this computer listens. */
  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** The same with another peer, number of the first lane, and seed. */
  Options to(InetSocketAddress other, int lane, long seed) {
    return new Options(
        left,
        right,
        pairs,
        lane,
        operations,
        seconds,
        services,
        traffic.withSeed(seed),
        serve,
        other,
        attacks,
        stranger);
  }

  /** Whether a run has done what it has to, however much time is left. */
  boolean isEnough(long done) {
    return operations != null && done >= operations;
  }

  /**
   * How long lanes may have no success because batches fail, in nanoseconds: the peer is silent to
   * this end, and then this end to the peer, or that happens to several batches in a row.
   */
  long failing() {
    return FAILURES_IN_A_ROW * traffic.patience();
  }

  /** {@link #seconds} in nanoseconds. */
  long nanos() {
    return seconds * 1_000_000_000L;
  }
}
