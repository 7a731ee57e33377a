package dev.verbena.interop;

import dev.verbena.interop.cases.CaseSet;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The arguments.
 *
 * @param device our device, as for Devices.open; {@link #KERNEL} for the guest's device on both
 *     sides
 * @param ownGid index in its GID table
 * @param peer where verbs_peer.py listens
 * @param gidIndex index in the peer's GID table
 * @param sets the sets of cases to run
 * @param only runs the cases whose name contains this
 */
record Options(
    String device,
    int ownGid,
    InetSocketAddress peer,
    int gidIndex,
    List<CaseSet> sets,
    String only) {
  static final String USAGE =
      "usage: KernelPeer --device SPEC|kernel --peer HOST:PORT --peer-gid N"
          + " --cases connection,window,datagram,flush [--only TEXT] [--gid N]";

  /** The kernel on both sides, which shows that the cases match its behavior. */
  static final String KERNEL = "kernel";

  /**
   * Parses pairs of an option and its value.
   *
   * @throws IllegalArgumentException that names the invalid one
   */
  static Options parse(String... arguments) {
    Map<String, String> values = new TreeMap<>();
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " has no value");
      }
      if (values.put(arguments[i], arguments[i + 1]) != null) {
        throw new IllegalArgumentException(arguments[i] + " is given twice");
      }
    }
    Options options =
        new Options(
            take(values, "--device"),
            values.containsKey("--gid") ? number("--gid", take(values, "--gid"), 255) : 0,
            address(take(values, "--peer")),
            number("--peer-gid", take(values, "--peer-gid"), 255),
            sets(take(values, "--cases")),
            values.containsKey("--only") ? take(values, "--only") : "");
    if (!values.isEmpty()) {
      throw new IllegalArgumentException("unknown option " + values.keySet().iterator().next());
    }
    return options;
  }

  private static String take(Map<String, String> values, String name) {
    String value = values.remove(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("--peer " + text + " is not of the form HOST:PORT");
    }
    int port = number("--peer", text.substring(colon + 1), 65535);
    return new InetSocketAddress(text.substring(0, colon), port);
  }

  private static List<CaseSet> sets(String names) {
    return Arrays.stream(names.split(",")).map(CaseSet::named).toList();
  }

  private static int number(String option, String text, int most) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + ": " + text + " is not a number", e);
    }
    throw new IllegalArgumentException(option + ": " + text + " is not in 0 to " + most);
  }

  boolean isKernelAlone() {
    return device.equals(KERNEL);
  }
}
