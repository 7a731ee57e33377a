package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds devices and ports by their usual names, and opens them.
 *
 * <pre>{@code
 * EndPort endPort = Rdma.getEndPort();
 * try (Context ctx = Rdma.getVerbs(endPort)) {
 *   ProtectionDomain pd = ctx.allocPd();
 *   ...
 * }
 * }</pre>
 */
public final class Rdma {
  private static final Pattern DEVICE_AND_PORT = Pattern.compile("([^?]+)/([0-9]{1,3})");

  /**
   * The devices that providers list, other devices already known in this process through {@link
   * Context#endPort()} or one of these methods, and devices that only a {@link NodeProvider} knows.
   * Opens none.
   *
   * @throws VerbsException as for {@link Devices#list()} and {@link NodeProvider#devices()}
   */
  public static List<RdmaDevice> getDevices() {
    List<RdmaDevice> devices = new ArrayList<>();
    for (Device device : Devices.list()) {
      devices.add(EndPorts.device(device));
    }
    for (RdmaDevice known : EndPorts.known()) {
      if (!devices.contains(known)) {
        devices.add(known);
      }
    }
    for (RdmaDevice node : nodes()) {
      if (devices.stream().noneMatch(device -> device.name().equals(node.name()))) {
        devices.add(node);
      }
    }
    return List.copyOf(devices);
  }

  /**
   * The first device.
   *
   * @throws VerbsException ENODEV if there is none
   */
  public static RdmaDevice getDevice() {
    List<RdmaDevice> devices = getDevices();
    if (devices.isEmpty()) {
      throw new VerbsException("getDevice", Errno.ENODEV, "No RDMA devices found.");
    }
    return devices.getFirst();
  }

  /**
   * Finds a device.
   *
   * @param name its name; the GUID of its node, in four groups or as 0x with 16 digits, for which
   *     each device that is not open is opened briefly; or a {@link DeviceSpec} that opens it
   * @throws VerbsException ENODEV, or as {@link Devices#open(String)}, if there is none
   */
  public static RdmaDevice getDevice(String name) {
    for (RdmaDevice device : getDevices()) {
      if (device.name().equals(name)) {
        return device;
      }
    }
    if (Guid.looksLikeOne(name)) {
      Guid guid = Guid.parse(name);
      return search("getDevice", "node GUID " + guid, device -> nodeWith(guid, device));
    }
    try (Context context = Devices.open(name)) {
      return EndPorts.of(context).device();
    }
  }

  private static Optional<RdmaDevice> nodeWith(Guid guid, RdmaDevice device) {
    return device.nodeGuid().equals(guid) ? Optional.of(device) : Optional.empty();
  }

  /**
   * The first port of the first device.
   *
   * @throws VerbsException ENODEV if there is no device
   */
  public static EndPort getEndPort() {
    return getDevice().endPort(1);
  }

  /**
   * Finds a port.
   *
   * @param name a device as for {@link #getDevice(String)}, which means its first port; {@code
   *     DEVICE/PORT}; a GID of the port, or the port's GUID, for which each device that is not open
   *     is opened briefly
   * @throws VerbsException ENODEV if there is none, naming the devices that could not be queried,
   *     and why; EINVAL if the device has no such port
   */
  public static EndPort getEndPort(String name) {
    Matcher withPort = DEVICE_AND_PORT.matcher(name);
    if (withPort.matches()) {
      return getDevice(withPort.group(1)).endPort(Integer.parseInt(withPort.group(2)));
    }
    if (Guid.looksLikeOne(name)) {
      Guid guid = Guid.parse(name);
      return port("port GUID " + guid, gid -> gid.guid().equals(guid));
    }
    if (Gid.looksLikeOne(name)) {
      Gid wanted = Gid.parse(name);
      return port("GID " + wanted, wanted::equals);
    }
    return getDevice(name).endPort(1);
  }

  private static EndPort port(String what, Predicate<Gid> wanted) {
    return search("getEndPort", what, device -> portWith(wanted, device));
  }

  private static Optional<EndPort> portWith(Predicate<Gid> wanted, RdmaDevice device) {
    return device.endPorts().stream()
        .filter(port -> port.gids().stream().anyMatch(gid -> !gid.isZero() && wanted.test(gid)))
        .findFirst();
  }

  /** Queries each device. A device that cannot be queried matters only if no other one matches. */
  private static <T> T search(
      String function, String what, Function<RdmaDevice, Optional<T>> question) {
    List<RdmaDevice> devices = getDevices();
    List<RdmaException> failures = new ArrayList<>();
    StringBuilder silent = new StringBuilder();
    for (RdmaDevice device : devices) {
      try {
        Optional<T> found = question.apply(device);
        if (found.isPresent()) {
          return found.get();
        }
      } catch (RdmaException e) {
        failures.add(e);
        silent.append("; ").append(device).append(" could not be asked: ").append(e.getMessage());
      }
    }
    VerbsException nothing =
        new VerbsException(
            function, Errno.ENODEV, "none of the devices " + devices + " has the " + what + silent);
    failures.forEach(nothing::addSuppressed);
    throw nothing;
  }

  /**
   * Opens the device of a port. {@link Context#endPort()} is this port.
   *
   * @throws VerbsException ENODEV if no verbs provider has the device; as for {@link Device#open}
   */
  public static Context getVerbs(EndPort endPort) {
    Device device = endPort.device().device();
    if (device == null) {
      throw new VerbsException(
          "getVerbs", Errno.ENODEV, "no verbs provider has the device " + endPort.device());
    }
    Context context = device.open();
    try {
      EndPorts.attach(context, endPort);
      return context;
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  /**
   * Opens a device.
   *
   * @throws VerbsException as for {@link #getVerbs(EndPort)}
   */
  public static Context getVerbs(RdmaDevice device) {
    return getVerbs(device.endPort(1));
  }

  private static List<RdmaDevice> nodes() {
    List<RdmaDevice> nodes = new ArrayList<>();
    ServiceLoader<NodeProvider> loader =
        ServiceLoader.load(NodeProvider.class, Rdma.class.getClassLoader());
    for (NodeProvider provider : new Providers<>("getDevices", loader)) {
      nodes.addAll(provider.devices());
    }
    return nodes;
  }

  private Rdma() {}
}
