package dev.verbena.verbs;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names a device and says how to open it. Text: {@code NAME} or {@code KIND:ADDRESS}, then {@code
 * ?option=value&option=value}. The soft provider knows {@code soft0}, the first free loopback
 * address, and {@code soft:ADDRESS}, an IPv4 or IPv6 address of this computer; the name of such a
 * device, such as {@code soft_10_77_0_1}, opens it as well. {@code soft:new} is one more software
 * device, with counters of its own: it is in memory, has no port, and reaches the devices of this
 * process that are in memory, too. Its address begins with fd76:6572:6265:6e61; {@link
 * Device#spec()} and {@link Device#name()} of its context open the same one again, where {@code
 * soft:new} opens another one, and {@link Devices#list()} does not have it. {@code ib:NAME} is a
 * device on the InfiniBand subnet of this process, with LIDs and P_Keys; its name {@code ib_NAME}
 * opens it as well. {@code rdmacore:NAME} is a device of the installed libibverbs, which its plain
 * name, such as {@code mlx5_0} or {@code rxe0}, opens as well; it has no options. Those of software
 * devices are
 *
 * <ul>
 *   <li>{@code link}: auto (default), packet, udp or shm; see {@link LinkKind}; a subnet has the
 *       first two only
 *   <li>{@code faults}: see {@link FaultSpec}
 *   <li>{@code capture}: a file that receives every packet sent and received, in pcapng
 *   <li>{@code icrc}: on (default) or off: whether the ICRC of received packets is checked
 *   <li>{@code ether}, not for {@code ib:NAME}: the network interface on which RAW_PACKET queue
 *       pairs send and receive Ethernet frames; it needs Linux and the right to open packet sockets
 *       (CAP_NET_RAW). Without this option, the devices of this process share a virtual segment,
 *       which needs no right. {@code faults} and {@code capture} do not apply to it
 *   <li>{@code vendor_part_id}: the number that {@link DeviceAttr#vendorPartId()} returns, 0 to
 *       4294967295, or hexadecimal such as 0x1017. Some programs choose by it how to post, such as
 *       perftest (4119 is a ConnectX-5, for which it uses the wr_ calls); the device itself behaves
 *       the same
 *   <li>{@code lmc}, for {@code ib:NAME}: the port has 2^lmc LIDs, 0 (default) to 7
 *   <li>{@code pkeys}, for {@code ib:NAME}: the first entries of the P_Key table, such as {@code
 *       0xffff,0x8001}; by default only 0xffff, the partition needed to query the subnet's
 *       administrator
 * </ul>
 *
 * <p>A device that is open in this process may be opened again, soft0 too: the new context shares
 * the address and the {@link Context#counters() counters} of the existing one, but not its objects.
 * The options must be the same, otherwise opening fails with EBUSY.
 *
 * <p>In the text, an option value has {@code %26} for {@code &}, and {@code %25} for a {@code %}
 * before 25 or 26; any other {@code %} stands for itself. Immutable.
 */
public final class DeviceSpec {
  private static final Pattern SOFTWARE = Pattern.compile("soft0|soft|ib|(soft|ib)_.*");
  private static final Pattern ESCAPED = Pattern.compile("%(25|26)");

  private final String name;
  private final @Nullable String address;
  private final Map<String, String> options;

  private DeviceSpec(String name, @Nullable String address, Map<String, String> options) {
    this.name = name;
    this.address = address;
    this.options = Collections.unmodifiableMap(options);
  }

  /** The device of this name, without options. */
  public static DeviceSpec named(String name) {
    return new DeviceSpec(checkName(name), null, Map.of());
  }

  /**
   * The software device on an address of this computer.
   *
   * @throws VerbsException EINVAL if the address is empty or contains {@code ?}
   */
  public static DeviceSpec soft(String address) {
    if (address.isEmpty() || address.contains("?")) {
      throw refused("'" + address + "' is not an address: it is empty or contains '?'");
    }
    return new DeviceSpec("soft", address, Map.of());
  }

  /**
   * The software device of this name on the InfiniBand subnet of this process.
   *
   * @throws VerbsException EINVAL if the name is empty or contains {@code ?}
   */
  public static DeviceSpec ib(String node) {
    if (node.isEmpty() || node.contains("?")) {
      throw refused("'" + node + "' is not a name: it is empty or contains '?'");
    }
    return new DeviceSpec("ib", node, Map.of());
  }

  /**
   * Parses the text form.
   *
   * @throws VerbsException EINVAL, naming the invalid part
   */
  public static DeviceSpec parse(String text) {
    int query = text.indexOf('?');
    String device = query < 0 ? text : text.substring(0, query);
    int colon = device.indexOf(':');
    String name = checkName(colon < 0 ? device : device.substring(0, colon));
    String address = colon < 0 ? null : device.substring(colon + 1);
    if (address != null && address.isEmpty()) {
      throw refused("'" + text + "' has no address after the colon");
    }
    Map<String, String> options = new LinkedHashMap<>();
    if (query >= 0) {
      for (String option : text.substring(query + 1).split("&", -1)) {
        int equals = option.indexOf('=');
        if (equals <= 0) {
          throw refused("option '" + option + "' of '" + text + "' is not of the form NAME=VALUE");
        }
        if (options.put(option.substring(0, equals), unescaped(option.substring(equals + 1)))
            != null) {
          throw refused(
              "'" + text + "' gives the option " + option.substring(0, equals) + " twice");
        }
      }
    }
    return new DeviceSpec(name, address, options);
  }

  /** The name: "soft0", or the kind before the colon, "soft" or "ib". */
  public String name() {
    return name;
  }

  /** The part after the colon, an address or the name of a node, or null. */
  public @Nullable String address() {
    return address;
  }

  /**
   * Whether only a software device can be meant, because of the name: {@code soft0}, {@code
   * soft:ADDRESS}, {@code ib:NAME}, or one that begins with {@code soft_} or {@code ib_}.
   */
  public boolean isSoftware() {
    return SOFTWARE.matcher(name).matches();
  }

  /** The options in the order in which they were given. */
  public Map<String, String> options() {
    return options;
  }

  /** The same with the option {@code link}. */
  public DeviceSpec link(LinkKind kind) {
    return option("link", kind.key());
  }

  /** The same with the option {@code faults}. */
  public DeviceSpec faults(FaultSpec faults) {
    return option("faults", faults.toString());
  }

  /** The same with the option {@code capture}. */
  public DeviceSpec capture(Path file) {
    return option("capture", file.toString());
  }

  /** The same with the option {@code icrc}. */
  public DeviceSpec icrc(boolean checked) {
    return option("icrc", checked ? "on" : "off");
  }

  /** The same with the option {@code ether}. */
  public DeviceSpec ether(String interfaceName) {
    return option("ether", interfaceName);
  }

  /**
   * The same with the option {@code vendor_part_id}.
   *
   * @param id unsigned: above 2^31-1 it is the negative int of the same bits
   */
  public DeviceSpec vendorPartId(int id) {
    return option("vendor_part_id", Integer.toUnsignedString(id));
  }

  /**
   * The same with one more option, or another value of one.
   *
   * @param value as it is, without the text's {@code %26}
   * @throws VerbsException EINVAL if the option is empty or contains {@code =} or {@code &}
   */
  public DeviceSpec option(String option, String value) {
    if (option.isEmpty() || option.contains("=") || option.contains("&")) {
      throw refused("'" + option + "' is not an option name: it is empty or contains '=' or '&'");
    }
    Map<String, String> more = new LinkedHashMap<>(options);
    more.put(option, value);
    return new DeviceSpec(name, address, more);
  }

  /** The text form that {@link #parse} reads. */
  @Override
  public String toString() {
    StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    options.forEach((option, value) -> query.add(option + "=" + escaped(value)));
    return (address == null ? name : name + ":" + address) + query;
  }

  private static String escaped(String value) {
    return value.replaceAll("%(?=25|26)", "%25").replace("&", "%26");
  }

  private static String unescaped(String text) {
    return ESCAPED.matcher(text).replaceAll(found -> found.group().equals("%26") ? "&" : "%");
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DeviceSpec spec && spec.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  private static String checkName(String name) {
    if (!name.matches("[A-Za-z0-9_.-]{1,63}")) {
      throw refused(
          "'" + name + "' is not a device name: 1 to 63 letters, digits, '_', '.' or '-'");
    }
    return name;
  }

  private static VerbsException refused(String detail) {
    return new VerbsException("deviceSpec", Errno.EINVAL, detail);
  }
}
