package dev.verbena.mad.sa;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.spi.MadSource;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.verbs.spi.SubnetPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A subnet of ports with LIDs 1, 2, ... and port GUIDs 0x101, 0x102, ... */
public final class FakeSubnet implements Subnet {
  private final List<SubnetPort> ports = new ArrayList<>();
  private final Map<Gid, Set<Long>> members = new TreeMap<>(FakeSubnet::compare);

  /** A subnet of {@code count} ordinary ports. */
  public FakeSubnet(int count) {
    for (int n = 1; n <= count; n++) {
      add(n, 0, Mtu.MTU_4096, Rate.RATE_100, 0xffff);
    }
  }

  private static int compare(Gid one, Gid other) {
    return one.toWireHex().compareTo(other.toWireHex());
  }

  /** Adds a port. */
  public SubnetPort add(int lid, int lmc, Mtu mtu, Rate rate, Integer... pkeys) {
    long guid = 0x100L + lid;
    SubnetPort port =
        new SubnetPort(
            0x1000L + lid,
            guid,
            0x1000L + lid,
            "node" + lid,
            1,
            PortState.ACTIVE,
            lid,
            lmc,
            List.of(gid(lid)),
            List.of(pkeys),
            Mtu.MTU_4096,
            mtu,
            rate,
            0);
    ports.add(port);
    return port;
  }

  public static Gid gid(int lid) {
    return new Gid(0xfe80L << 48, 0x100L + lid);
  }

  /** A datagram from queue pair 77 of this LID. */
  public static MadSource source(int lid) {
    return new MadSource(lid, 0, 77, null);
  }

  public void remove(SubnetPort port) {
    ports.remove(port);
  }

  /** The port GUIDs of a group's members. */
  public Set<Long> members(Gid mgid) {
    return members.getOrDefault(mgid, Set.of());
  }

  @Override
  public long subnetPrefix() {
    return 0xfe80L << 48;
  }

  @Override
  public int subnetTimeout() {
    return 18;
  }

  @Override
  public int smLid() {
    return 1;
  }

  @Override
  public int smSl() {
    return 0;
  }

  @Override
  public List<SubnetPort> ports() {
    return List.copyOf(ports);
  }

  @Override
  public void join(long portGuid, Gid mgid, int mlid) {
    members.computeIfAbsent(mgid, gid -> new TreeSet<>()).add(portGuid);
  }

  @Override
  public void leave(long portGuid, Gid mgid) {
    Set<Long> group = members.get(mgid);
    if (group != null) {
      group.remove(portGuid);
    }
  }

  @Override
  public void assignLid(long portGuid, int lid) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void assignPkeys(long portGuid, List<Integer> pkeys) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void assignManager(int lid, int sl) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void reregisterClients() {
    throw new UnsupportedOperationException();
  }
}
