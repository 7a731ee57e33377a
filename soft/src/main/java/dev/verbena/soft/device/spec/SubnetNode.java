package dev.verbena.soft.device.spec;

import dev.verbena.soft.engine.qp.Multicast;
import dev.verbena.soft.transport.DatagramHeader;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PortCap;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.spi.SubnetPort;
import dev.verbena.wire.Address;
import dev.verbena.wire.LocalRoute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * A node of the subnet, with its one port. Changes under the subnet's lock; any thread may query it
 * at any time.
 */
public final class SubnetNode implements Multicast.Admission {
  /** Number of the port. */
  private static final int PORT = 1;

  private record Group(Gid mgid, int mlid) {
    boolean is(Address address) {
      return address.is(mgid.subnetPrefix(), mgid.interfaceId());
    }
  }

  private final SoftSubnet subnet;
  private final NodeSpec spec;
  private final Consumer<EventType> events;
  private volatile int lid;
  private volatile List<Integer> pkeys;
  private volatile Group[] groups = {};

  SubnetNode(SoftSubnet subnet, NodeSpec spec, int lid, Consumer<EventType> events) {
    this.subnet = subnet;
    this.spec = spec;
    this.lid = lid;
    this.events = events;
    this.pkeys = table(spec.pkeys());
  }

  private static List<Integer> table(List<Integer> first) {
    List<Integer> table = new ArrayList<>(first);
    table.addAll(Collections.nCopies(Limits.IB_PKEYS - first.size(), 0));
    return List.copyOf(table);
  }

  /** Its subnet. */
  public SoftSubnet subnet() {
    return subnet;
  }

  /** Its specification. */
  public NodeSpec spec() {
    return spec;
  }

  /** The lowest LID of its port. */
  public int lid() {
    return lid;
  }

  void lid(int value) {
    lid = value;
  }

  /** An entry of the P_Key table; 0 if it is empty. */
  public int pkey(int index) {
    return pkeys.get(index);
  }

  void pkeys(List<Integer> first) {
    pkeys = table(first);
  }

  /** Whether a LID belongs to the port, path bits included. */
  boolean hasLid(int other) {
    return other >>> spec.lmc() == lid >>> spec.lmc();
  }

  /** LID of a group that the port is in, or 0. */
  int mlid(Gid mgid) {
    for (Group group : groups) {
      if (group.mgid.equals(mgid)) {
        return group.mlid;
      }
    }
    return 0;
  }

  int groupCount() {
    return groups.length;
  }

  void join(Gid mgid, int mlid) {
    leave(mgid);
    Group[] more = Arrays.copyOf(groups, groups.length + 1);
    more[more.length - 1] = new Group(mgid, mlid);
    groups = more;
  }

  void leave(Gid mgid) {
    groups = Arrays.stream(groups).filter(group -> !group.mgid.equals(mgid)).toArray(Group[]::new);
  }

  /** Whether the datagram is for a group that the port is in, and was sent to the group's LID. */
  @Override
  public boolean admits(DatagramHeader datagram) {
    LocalRoute route = datagram.local();
    return route != null && isIn(datagram.sentTo(), route.dlid());
  }

  private boolean isIn(Address address, int mlid) {
    for (Group group : groups) {
      if (group.is(address)) {
        return group.mlid == mlid;
      }
    }
    return false;
  }

  void raise(EventType type) {
    events.accept(type);
  }

  SubnetPort describe() {
    return new SubnetPort(
        spec.nodeGuid(),
        spec.portGuid(),
        /* systemImageGuid= */ spec.nodeGuid(),
        /* nodeDescription= */ "Verbena " + spec.deviceName(),
        PORT,
        PortState.ACTIVE,
        lid,
        spec.lmc(),
        List.of(spec.gid()),
        pkeys,
        Limits.MAX_MTU,
        Limits.MAX_MTU,
        Rate.RATE_40,
        capFlags());
  }

  /** The capabilities of the port. */
  public int capFlags() {
    int manages = spec.isManager() ? PortCap.SM : 0;
    return PortCap.CM_SUP | PortCap.CLIENT_REG_SUP | manages;
  }

  @Override
  public String toString() {
    return spec.deviceName();
  }
}
