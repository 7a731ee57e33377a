package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds devices and ports by the names that people use, and opens them.
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
   * The devices that providers list, those that this process knows besides, because {@link
   * Context#endPort()} or one of these methods met them, and those that a {@link NodeProvider}
   * knows and no provider of verbs.
   *
   * @throws VerbsException as {@link Devices#list()}, and what opening a listed device for a moment
   *     meets
   */
  public static List<RdmaDevice> getDevices() {
    List<RdmaDevice> devices = new ArrayList<>();
    for (Device device : Devices.list()) {
      devices.add(EndPorts.device(device, null));
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
   * A device.
   *
   * @param name its name; the GUID of its node; or a {@link DeviceSpec} that opens it
   * @throws VerbsException ENODEV, or as {@link Devices#open(String)}, if there is none
   */
  public static RdmaDevice getDevice(String name) {
    // By its name, so that no other device need be opened.
    for (Device device : Devices.list()) {
      if (device.name().equals(name)) {
        return EndPorts.device(device, null);
      }
    }
    List<RdmaDevice> others = new ArrayList<>(EndPorts.known());
    others.addAll(nodes());
    for (RdmaDevice device : others) {
      if (device.name().equals(name)) {
        return device;
      }
    }
    if (Guid.isGroups(name)) {
      Guid guid = Guid.parse(name);
      for (RdmaDevice device : getDevices()) {
        if (device.nodeGuid().equals(guid)) {
          return device;
        }
      }
      throw new VerbsException("getDevice", Errno.ENODEV, "no device has the node GUID " + guid);
    }
    try (Context context = Devices.open(name)) {
      return EndPorts.device(context.device(), context);
    }
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
   * A port.
   *
   * @param name a device as {@link #getDevice(String)} takes it, which means its first port; {@code
   *     DEVICE/PORT}; a GID of the port; or the port's GUID
   * @throws VerbsException ENODEV if there is none, EINVAL if the device has no such port
   */
  public static EndPort getEndPort(String name) {
    Matcher withPort = DEVICE_AND_PORT.matcher(name);
    if (withPort.matches()) {
      return getDevice(withPort.group(1)).endPort(Integer.parseInt(withPort.group(2)));
    }
    if (Guid.isGroups(name)) {
      Guid guid = Guid.parse(name);
      return find(port -> hasGuid(port, guid), "port GUID " + guid);
    }
    if (Gid.looksLikeOne(name)) {
      Gid gid = Gid.parse(name);
      return find(port -> !gid.isZero() && port.gids().contains(gid), "GID " + gid);
    }
    return getDevice(name).endPort(1);
  }

  private static boolean hasGuid(EndPort port, Guid guid) {
    return port.gids().stream().anyMatch(gid -> !gid.isZero() && gid.guid().equals(guid));
  }

  private static EndPort find(Predicate<EndPort> wanted, String what) {
    List<RdmaDevice> devices = getDevices();
    for (RdmaDevice device : devices) {
      for (EndPort port : device.endPorts()) {
        if (wanted.test(port)) {
          return port;
        }
      }
    }
    throw new VerbsException(
        "getEndPort", Errno.ENODEV, "no port of " + devices + " has the " + what);
  }

  /**
   * Opens the device of a port. {@link Context#endPort()} is this port.
   *
   * @throws VerbsException ENODEV if no provider of verbs has the device, or as {@link Device#open}
   */
  public static Context getVerbs(EndPort endPort) {
    Device device = endPort.device().device();
    if (device == null) {
      throw new VerbsException(
          "getVerbs", Errno.ENODEV, "no provider of verbs has the device " + endPort.device());
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
   * @throws VerbsException as {@link #getVerbs(EndPort)}
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
