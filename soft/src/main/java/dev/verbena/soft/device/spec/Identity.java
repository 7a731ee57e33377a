package dev.verbena.soft.device.spec;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/** Names and GUIDs derived from a device's address. */
public final class Identity {

  /** Bit 1 of the first octet of a MAC address. */
  private static final long LOCAL_MAC = 0x0200_0000_0000L;

  /** The two middle octets of an EUI-64 made from something shorter. */
  private static final long FILLER = 0x0000_00ff_fe00_0000L;

  private static final String PREFIX = "soft_";

  /** Name of the device with this address: "soft_10_77_0_1", "soft_fd00__1". */
  public static String name(Gid gid) {
    return PREFIX + gid.toAddressText().replace('.', '_').replace(':', '_');
  }

  /** The address of the device with this name; null if {@link #name} never returns this name. */
  static @Nullable Gid address(String name) {
    if (!name.startsWith(PREFIX)) {
      return null;
    }
    String text = name.substring(PREFIX.length());
    // Four groups without a gap are not an IPv6 address, so every name is unambiguous.
    char separator = text.matches("\\d+_\\d+_\\d+_\\d+") ? '.' : ':';
    Gid gid;
    try {
      gid = Gid.parse(text.replace('_', separator));
    } catch (VerbsException e) {
      return null;
    }
    return name(gid).equals(name) ? gid : null;
  }

  /**
   * GUID of the device with this address, never zero: for IPv4 a.b.c.d an EUI-64
   * 02:00:a:ff:fe:b:c:d, for IPv6 both halves folded together.
   */
  public static long guid(Gid gid) {
    if (gid.isIpv4Mapped()) {
      long address = gid.interfaceId() & 0xffff_ffffL;
      return Limits.LOCAL_EUI64 | FILLER | (address >>> 24) << 40 | (address & 0xff_ffffL);
    }
    long folded = gid.subnetPrefix() * 0x9e37_79b9_7f4a_7c15L ^ gid.interfaceId();
    // Group bit off: a GUID names one node.
    return (folded & ~0x0300_0000_0000_0000L) | Limits.LOCAL_EUI64;
  }

  /**
   * Ethernet address of the device with this IP address on the segment of this process, locally
   * administered: for IPv4 a.b.c.d 02:00:a:b:c:d, for IPv6 the GUID folded.
   */
  public static long mac(Gid gid) {
    if (gid.isIpv4Mapped()) {
      return LOCAL_MAC | (gid.interfaceId() & 0xffff_ffffL);
    }
    long folded = (guid(gid) * 0x9e37_79b9_7f4a_7c15L) >>> 16;
    return (folded & ~0x0300_0000_0000L) | LOCAL_MAC;
  }

  private Identity() {}
}
