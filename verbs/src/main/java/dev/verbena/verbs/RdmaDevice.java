package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device, open or not, with information about it and its ports. {@link Rdma} finds devices. There
 * is one object for each device for as long as it or one of its end ports is referenced.
 */
public final class RdmaDevice {
  /** Values read when first needed, so that finding a device opens none. */
  private record Known(NodeSnapshot node, List<EndPort> endPorts) {}

  private final String name;
  private final NodeSource source;
  private @Nullable Known known;

  /**
   * Creates a device that no verbs provider has; for node providers.
   *
   * @param name its name
   * @param source provides information about it
   */
  public RdmaDevice(String name, NodeSource source) {
    this.name = name;
    this.source = source;
  }

  private synchronized Known known() {
    Known read = known;
    if (read == null) {
      read = read(source.node());
      known = read;
    }
    return read;
  }

  private Known read(NodeSnapshot node) {
    List<EndPort> ports = new ArrayList<>();
    for (int port = 1; port <= node.physPortCount(); port++) {
      ports.add(new EndPort(this, port));
    }
    return new Known(node, List.copyOf(ports));
  }

  /**
   * Reads the cached values again, because the device was opened, perhaps at another address than
   * before.
   */
  synchronized void opened() {
    Known before = known;
    if (before != null) {
      known = new Known(source.node(), before.endPorts());
      before.endPorts().forEach(EndPort::opened);
    }
  }

  private NodeSnapshot node() {
    return known().node();
  }

  /** Its name, such as "soft0". */
  public String name() {
    return name;
  }

  /** Its ports in order, starting with number 1. */
  public List<EndPort> endPorts() {
    return known().endPorts();
  }

  /**
   * The port with a number.
   *
   * @param portId its number, from 1
   * @throws VerbsException EINVAL if there is none with this number
   */
  public EndPort endPort(int portId) {
    List<EndPort> ports = endPorts();
    if (portId < 1 || portId > ports.size()) {
      throw new VerbsException(
          "getEndPort",
          Errno.EINVAL,
          "port " + portId + " of " + name + ", which has ports 1 to " + ports.size());
    }
    return ports.get(portId - 1);
  }

  /** Kind of node. */
  public NodeType nodeType() {
    return node().nodeType();
  }

  /** GUID of the node. */
  public Guid nodeGuid() {
    return node().nodeGuid();
  }

  /** The node's description of itself; the device's name if it has none. */
  public String nodeDesc() {
    String told = node().nodeDesc();
    return told.isEmpty() ? name : told;
  }

  /** Firmware version. */
  public String fwVer() {
    return node().fwVer();
  }

  /** GUID of the system to which the node belongs. */
  public Guid sysImageGuid() {
    return node().sysImageGuid();
  }

  /** The vendor's name of the board; empty if unknown, as with verbs. */
  public String boardId() {
    return node().boardId();
  }

  /** Hardware version. */
  public String hwVer() {
    return node().hwVer();
  }

  /** Kind of adapter. If it comes from verbs, vendor and part: {@code 0x02c9:0x1017}. */
  public String hcaType() {
    return node().hcaType();
  }

  /** The number of ports. */
  public int physPortCount() {
    return endPorts().size();
  }

  /**
   * The device to open for verbs.
   *
   * @return null if no verbs provider has this one
   */
  public @Nullable Device device() {
    return source.device();
  }

  NodeSource source() {
    return source;
  }

  /** Its name. */
  @Override
  public String toString() {
    return name;
  }
}
