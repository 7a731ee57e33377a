package dev.verbena.soft.device.spec;

import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of the subnet, as a specification {@code ib:NAME} describes it. GUIDs and the GID are
 * derived from the name, so they are the same in every run.
 *
 * @param name of the node
 * @param lmc the port has 2^lmc LIDs
 * @param pkeys the first entries of its P_Key table
 */
public record NodeSpec(String name, int lmc, List<Integer> pkeys) {
  /** The kind before the name. */
  public static final String KIND = "ib";

  /** Upper half of the GIDs of the subnet. */
  static final long PREFIX = 0xfe80L << 48;

  /** The node at which the management agent answers; not a device of a program. */
  public static final NodeSpec MANAGER = new NodeSpec("sm", 0, List.of(Iba.DEFAULT_PKEY));

  private static final String FUNCTION = "openDevice";
  private static final String DEVICE_PREFIX = KIND + "_";
  private static final String NAME = "[A-Za-z0-9_.-]{1,40}";
  private static final int MAX_LMC = 7;

  /**
   * The bits that {@link Limits#LOCAL_EUI64} determines, and the last one, which distinguishes node
   * and port.
   */
  private static final long DECIDED = 0x0300_0000_0000_0001L;

  /**
   * Whether a specification with this name is for a node: {@code ib}, or the name of its device.
   */
  public static boolean isKnown(String name) {
    return name.equals(KIND) || ofDevice(name) != null;
  }

  private static @Nullable String ofDevice(String name) {
    return name.startsWith(DEVICE_PREFIX) ? name.substring(DEVICE_PREFIX.length()) : null;
  }

  /**
   * Parses a specification whose name {@link #isKnown is known}.
   *
   * @throws VerbsException EINVAL that names the wrong part
   */
  public static NodeSpec parse(DeviceSpec spec) {
    return new NodeSpec(name(spec), lmc(spec), pkeys(spec));
  }

  private static String name(DeviceSpec spec) {
    String text = spec.address();
    String named = ofDevice(spec.name());
    if (named != null && text != null) {
      throw refused(
          spec, spec.name() + " takes no name behind it; " + KIND + ":" + text + " has one");
    }
    String name = named == null ? text : named;
    if (name == null) {
      throw refused(spec, "no name: write " + KIND + ":NAME");
    }
    if (!name.matches(NAME)) {
      throw refused(spec, "a name is 1 to 40 letters, digits, '_', '.' or '-', not '" + name + "'");
    }
    if (name.equals(MANAGER.name())) {
      throw refused(spec, "'" + name + "' is the subnet manager's own node; take another name");
    }
    return name;
  }

  private static int lmc(DeviceSpec spec) {
    String text = spec.options().getOrDefault("lmc", "0");
    int lmc = text.length() == 1 ? Character.digit(text.charAt(0), 10) : -1;
    if (lmc < 0 || lmc > MAX_LMC) {
      throw refused(spec, "lmc is 0 to " + MAX_LMC + ", not '" + text + "'");
    }
    return lmc;
  }

  private static List<Integer> pkeys(DeviceSpec spec) {
    String text = spec.options().get("pkeys");
    if (text == null) {
      return List.of(Iba.DEFAULT_PKEY);
    }
    List<Integer> pkeys = new ArrayList<>();
    for (String entry : text.split(",", -1)) {
      pkeys.add(pkey(spec, entry));
    }
    if (pkeys.size() > Limits.IB_PKEYS) {
      throw refused(spec, pkeys.size() + " pkeys, the table has " + Limits.IB_PKEYS + " entries");
    }
    return List.copyOf(pkeys);
  }

  private static int pkey(DeviceSpec spec, String entry) {
    int pkey;
    try {
      pkey = Integer.decode(entry);
    } catch (NumberFormatException e) {
      pkey = -1;
    }
    if (pkey < 0 || pkey > Limits.MAX_PKEY) {
      throw refused(
          spec,
          "pkeys is a list of numbers from 0 to 0xffff, as 0xffff,0x8001; one is '" + entry + "'");
    }
    return pkey;
  }

  private static VerbsException refused(DeviceSpec spec, String detail) {
    return new VerbsException(FUNCTION, Errno.EINVAL, "'" + spec + "': " + detail);
  }

  /** Name of the device, which also opens it. */
  public String deviceName() {
    return DEVICE_PREFIX + name;
  }

  /** GUID of the node. */
  public long nodeGuid() {
    long hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x9e37_79b9_7f4a_7c15L;
      hash ^= hash >>> 32;
    }
    return (hash & ~DECIDED) | Limits.LOCAL_EUI64;
  }

  /** GUID of the node's port. */
  public long portGuid() {
    return nodeGuid() | 1;
  }

  /** GID of the port. */
  public Gid gid() {
    return new Gid(PREFIX, portGuid());
  }

  boolean isManager() {
    return equals(MANAGER);
  }
}
