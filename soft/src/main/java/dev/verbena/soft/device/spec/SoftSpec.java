package dev.verbena.soft.device.spec;

import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.VerbsException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A device specification that this provider understands.
 *
 * @param address address of the device; null for soft0, the first free loopback address
 * @param node its node of the InfiniBand subnet, or null for a device on Ethernet
 * @param link how packets travel to peers
 * @param faults faults for sent packets
 * @param capture file that receives all packets, or null
 * @param checkIcrc whether the ICRC of received packets is checked
 * @param ether network interface for Ethernet frames, or null for the segment of this process
 * @param vendorPartId the vendor_part_id in queries of the device, unsigned
 */
public record SoftSpec(
    @Nullable Gid address,
    @Nullable NodeSpec node,
    LinkKind link,
    FaultSpec faults,
    @Nullable Path capture,
    boolean checkIcrc,
    @Nullable String ether,
    int vendorPartId) {
  /** The name of the device that needs no address. */
  public static final String FIRST = "soft0";

  /** The name before the address of the others. */
  public static final String KIND = "soft";

  private static final String FUNCTION = "openDevice";
  private static final List<String> OPTIONS =
      List.of("link", "faults", "capture", "icrc", "ether", "vendor_part_id");
  private static final List<String> NODE_OPTIONS =
      List.of("link", "faults", "capture", "icrc", "vendor_part_id", "lmc", "pkeys");

  /** The device at which the subnet's management agent answers. */
  public static final SoftSpec MANAGER =
      new SoftSpec(
          NodeSpec.MANAGER.gid(),
          NodeSpec.MANAGER,
          LinkKind.AUTO,
          FaultSpec.NONE,
          null,
          true,
          null,
          Limits.VENDOR_PART_ID);

  /** Whether a specification with this name is for this provider. */
  public static boolean isKnown(String name) {
    return name.equals(FIRST)
        || name.equals(KIND)
        || Identity.address(name) != null
        || NodeSpec.isKnown(name);
  }

  /**
   * Parses a specification whose name {@link #isKnown is known}.
   *
   * @throws VerbsException EINVAL that names the wrong part
   */
  public static SoftSpec parse(DeviceSpec spec) {
    boolean isNode = NodeSpec.isKnown(spec.name());
    List<String> known = isNode ? NODE_OPTIONS : OPTIONS;
    for (String option : spec.options().keySet()) {
      if (!known.contains(option)) {
        throw refused(spec, "unknown option '" + option + "'; known: " + String.join(", ", known));
      }
    }
    NodeSpec node = isNode ? NodeSpec.parse(spec) : null;
    Gid address = node == null ? address(spec) : node.gid();
    return new SoftSpec(
        address,
        node,
        link(spec, isNode, address),
        faults(spec),
        capture(spec),
        icrc(spec),
        ether(spec),
        vendorPartId(spec));
  }

  /** The link over which packets travel, if they must. */
  public LinkKind packetLink(Gid gid) {
    return FreshAddress.is(gid) ? LinkKind.PACKET : link;
  }

  /** A text that opens this device again, where another one would open one more. */
  public DeviceSpec pinned(DeviceSpec text) {
    if (address == null || !FreshAddress.NEW.equals(text.address())) {
      return text;
    }
    DeviceSpec pinned = DeviceSpec.soft(address.toString());
    for (Map.Entry<String, String> option : text.options().entrySet()) {
      pinned = pinned.option(option.getKey(), option.getValue());
    }
    return pinned;
  }

  /**
   * Whether whole messages may travel without packets: not with faults or a capture, which need
   * packets.
   */
  public boolean allowsLoopback() {
    return link == LinkKind.AUTO && !faults.isActive() && capture == null;
  }

  /** Name of the device that it opens on this address. */
  public String deviceName(Gid gid) {
    return node == null ? Identity.name(gid) : node.deviceName();
  }

  /** GUID of the device that it opens on this address. */
  public long guid(Gid gid) {
    return node == null ? Identity.guid(gid) : node.nodeGuid();
  }

  /** Link layer of the device's port. */
  public LinkLayer linkLayer() {
    return node == null ? LinkLayer.ETHERNET : LinkLayer.INFINIBAND;
  }

  /** How the options of another one differ, for messages; empty if they do not. */
  public String differences(SoftSpec other) {
    List<String> differences = new ArrayList<>();
    note(differences, "link", link.key(), other.link.key());
    note(differences, "faults", active(faults), active(other.faults));
    note(differences, "capture", capture, other.capture);
    note(differences, "icrc", checkIcrc ? "on" : "off", other.checkIcrc ? "on" : "off");
    note(differences, "ether", ether, other.ether);
    if (node != null && other.node != null) {
      note(differences, "lmc", node.lmc(), other.node.lmc());
      note(differences, "pkeys", node.pkeys(), other.node.pkeys());
    }
    note(
        differences,
        "vendor_part_id",
        Integer.toUnsignedString(vendorPartId),
        Integer.toUnsignedString(other.vendorPartId));
    return String.join(", ", differences);
  }

  private static void note(
      List<String> differences, String option, @Nullable Object here, @Nullable Object there) {
    if (!Objects.equals(here, there)) {
      differences.add(option + "=" + text(here) + " (asked for: " + text(there) + ")");
    }
  }

  private static @Nullable FaultSpec active(FaultSpec faults) {
    return faults.isActive() ? faults : null;
  }

  private static Object text(@Nullable Object value) {
    return value == null ? "none" : value;
  }

  private static @Nullable Gid address(DeviceSpec spec) {
    String text = spec.address();
    if (text != null && !spec.name().equals(KIND)) {
      throw refused(spec, spec.name() + " takes no address; " + KIND + ":" + text + " names one");
    }
    if (spec.name().equals(FIRST)) {
      return null;
    }
    Gid named = Identity.address(spec.name());
    if (named != null) {
      return ownable(spec, named, spec.name());
    }
    if (text == null) {
      throw refused(spec, "no address: write " + KIND + ":ADDRESS, or " + FIRST);
    }
    if (text.equals(FreshAddress.NEW)) {
      return FreshAddress.next();
    }
    Gid gid;
    try {
      gid = Gid.parse(text);
    } catch (VerbsException e) {
      throw refused(spec, "'" + text + "' is not an IP address", e);
    }
    return ownable(spec, gid, text);
  }

  private static Gid ownable(DeviceSpec spec, Gid gid, String text) {
    if (FreshAddress.isOfAnotherProcess(gid)) {
      throw refused(spec, "this device is in the memory of another process");
    }
    if (gid.isMulticast() || gid.isZero() || gid.equals(Gid.parse("0.0.0.0"))) {
      throw refused(
          spec, "a device needs a unicast address of this computer, which " + text + " is not");
    }
    return gid;
  }

  private static LinkKind link(DeviceSpec spec, boolean isNode, @Nullable Gid address) {
    String text = spec.options().get("link");
    LinkKind link = text == null ? LinkKind.AUTO : LinkKind.parse(text);
    boolean leaves = link == LinkKind.UDP || link == LinkKind.SHM;
    if (isNode && leaves) {
      throw refused(
          spec, "the subnet is inside this process: link is auto or packet, not " + link.key());
    }
    if (address != null && FreshAddress.is(address) && leaves) {
      throw refused(
          spec, "this device is inside this process: link is auto or packet, not " + link.key());
    }
    return link;
  }

  private static FaultSpec faults(DeviceSpec spec) {
    String text = spec.options().get("faults");
    return text == null ? FaultSpec.NONE : FaultSpec.parse(text);
  }

  private static @Nullable Path capture(DeviceSpec spec) {
    String text = spec.options().get("capture");
    if (text == null) {
      return null;
    }
    try {
      return Path.of(text).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw refused(spec, "capture: '" + text + "' is not a file name", e);
    }
  }

  private static boolean icrc(DeviceSpec spec) {
    String text = spec.options().getOrDefault("icrc", "on");
    return switch (text) {
      case "on" -> true;
      case "off" -> false;
      default -> throw refused(spec, "icrc is on or off, not '" + text + "'");
    };
  }

  private static @Nullable String ether(DeviceSpec spec) {
    String name = spec.options().get("ether");
    if (name != null && name.isEmpty()) {
      throw refused(spec, "ether is the name of a network interface, not empty");
    }
    return name;
  }

  private static int vendorPartId(DeviceSpec spec) {
    String text = spec.options().get("vendor_part_id");
    if (text == null) {
      return Limits.VENDOR_PART_ID;
    }
    try {
      boolean isHex = text.startsWith("0x") || text.startsWith("0X");
      return isHex
          ? Integer.parseUnsignedInt(text, 2, text.length(), 16)
          : Integer.parseUnsignedInt(text);
    } catch (NumberFormatException e) {
      throw refused(spec, "vendor_part_id is a number from 0 to 4294967295, not '" + text + "'", e);
    }
  }

  private static VerbsException refused(DeviceSpec spec, String detail) {
    return new VerbsException(FUNCTION, Errno.EINVAL, "'" + spec + "': " + detail);
  }

  private static VerbsException refused(DeviceSpec spec, String detail, Exception cause) {
    return new VerbsException(FUNCTION, Errno.EINVAL, "'" + spec + "': " + detail, cause);
  }
}
