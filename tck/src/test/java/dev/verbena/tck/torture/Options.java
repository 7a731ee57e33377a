package dev.verbena.tck.torture;

import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.Mtu;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to do.
 *
 * @param left device that posts all but receives
 * @param right its peer
 * @param pairs pairs of queue pairs
 * @param batch operations that a pair posts at a time; the next batch follows when they are done
 * @param operations after which it ends, over all pairs
 * @param seconds after which it ends all the same
 * @param size longest message
 * @param mtu path MTU in bytes
 * @param timeout timeout code of the queue pairs
 * @param retries retry_cnt of the queue pairs
 * @param seed of lengths and operations
 */
public record Options(
    DeviceSpec left,
    DeviceSpec right,
    int pairs,
    int batch,
    long operations,
    int seconds,
    int size,
    Mtu mtu,
    int timeout,
    int retries,
    long seed) {

  static final String HELP =
      """
      torture [NAME=VALUE...]
        left, right   devices, as soft:ADDRESS?faults=...   soft:127.99.0.1?link=udp, ...2
        faults        for both sides, with the seeds 2*seed and 2*seed+1
        pairs 4       batch 16      ops 20000     seconds 60     size 65536
        mtu 1024      timeout 13    retries 7     seed (of the clock)
      """;

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
    String faults = given.remove("faults");
    Options options =
        new Options(
            device(given, "left", "soft:127.99.0.1", faults, 2 * seed),
            device(given, "right", "soft:127.99.0.2", faults, 2 * seed + 1),
            (int) number(given, "pairs", 4),
            (int) number(given, "batch", 16),
            number(given, "ops", 20_000),
            (int) number(given, "seconds", 60),
            (int) number(given, "size", 1 << 16),
            Mtu.valueOf("MTU_" + number(given, "mtu", 1024)),
            (int) number(given, "timeout", 13),
            (int) number(given, "retries", 7),
            seed);
    if (!given.isEmpty()) {
      throw new IllegalArgumentException("unknown: " + given.keySet() + "\n" + HELP);
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
    String text = given.remove(name);
    return text == null ? usual : Long.parseLong(text);
  }
}
