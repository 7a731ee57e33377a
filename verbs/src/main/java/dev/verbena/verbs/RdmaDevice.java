package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A device with what is known of it and its ports, open or not. {@link Rdma} finds them. There is
 * one object for each device as long as anyone holds it or one of its end ports.
 */
public final class RdmaDevice {
  /** What is read when it is first asked for: to find a device opens none. */
  private record Known(NodeSnapshot node, List<EndPort> endPorts) {}

  private final String name;
  private final NodeSource source;
  private @Nullable Known known;

  /**
   * For those who know devices that no provider of verbs has.
   *
   * @param name its name
   * @param source tells what is known of it
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

  /** Reads again what is kept: the device was opened, perhaps at another address than last time. */
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

  /** Its ports in their order, the first being number 1. */
  public List<EndPort> endPorts() {
    return known().endPorts();
  }

  /**
   * A port.
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

  /** What the node says of itself; the device's name where it says nothing. */
  public String nodeDesc() {
    String told = node().nodeDesc();
    return told.isEmpty() ? name : told;
  }

  /** Firmware version. */
  public String fwVer() {
    return node().fwVer();
  }

  /** GUID of the system that the node is a part of. */
  public Guid sysImageGuid() {
    return node().sysImageGuid();
  }

  /** What the vendor calls the board; empty where nobody tells, as verbs do not. */
  public String boardId() {
    return node().boardId();
  }

  /** Hardware version. */
  public String hwVer() {
    return node().hwVer();
  }

  /** Kind of adapter. Where verbs tell it, vendor and part: {@code 0x02c9:0x1017}. */
  public String hcaType() {
    return node().hcaType();
  }

  /** How many ports it has. */
  public int physPortCount() {
    return endPorts().size();
  }

  /**
   * The device to open for verbs.
   *
   * @return null if no provider of verbs has this one
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
