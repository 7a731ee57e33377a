package dev.verbena.soft.engine.qp;

import dev.verbena.soft.link.Gids;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.DatagramHeader;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.Address;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The multicast groups of a device, with the queue pairs that get datagrams to a group. The link is
 * in a group while a queue pair is. Groups are IP addresses, see {@link
 * dev.verbena.wire.MulticastGroup}. A look-up takes no lock.
 */
public final class Multicast {
  /** The most groups of one device; each takes a socket of the UDP link. */
  public static final int MAX_GROUPS = 256;

  /** Most queue pairs of one group. */
  public static final int MAX_MEMBERS = 256;

  private static final String FUNCTION = "attachMcast";

  /** Joins and leaves groups with the device's link. */
  public interface Membership {
    /** See {@link dev.verbena.soft.link.Link#join}. */
    void join(Address group);

    /** See {@link dev.verbena.soft.link.Link#leave}. */
    void leave(Address group);

    /** Returns when what has arrived before is no longer being delivered. */
    void quiesce();

    /** Whether datagrams of the device with this address also come without packets. */
    boolean isNear(Address sender);
  }

  /** Decides which of the group datagrams that reach the device are for it. */
  @FunctionalInterface
  public interface Admission {
    /** Whether the members get this datagram. */
    boolean admits(DatagramHeader datagram);
  }

  /**
   * A queue pair in a group.
   *
   * @param qp the queue pair
   * @param blocksOwn whether it gets no copy of its own datagrams to the group (S8.6)
   */
  public record Member(QpRuntime qp, boolean blocksOwn) {}

  private final String device;
  private final Membership link;
  private final Admission admission;
  private final Address local;
  private volatile Map<Address, List<Member>> groups = Map.of();

  /** The most copies of one datagram: the members of the largest group, or 0. */
  public volatile int largestGroup;

  /**
   * @param device name for messages
   * @param local its address
   * @param link joins and leaves groups
   * @param admission decides which datagrams are for the members
   */
  public Multicast(String device, Address local, Membership link, Admission admission) {
    this.device = device;
    this.local = local;
    this.link = link;
    this.admission = admission;
  }

  /**
   * Whether packets from this address to groups are second copies: their sender has delivered the
   * datagrams without packets, and sends packets for members that it does not reach that way. It
   * may have ended since.
   */
  public boolean cameWithoutPacket(Address sender) {
    return link.isNear(sender);
  }

  /** The queue pairs that get datagrams to a group. */
  public List<Member> members(Address group) {
    return groups.getOrDefault(group, List.of());
  }

  /** Whether a member gets this datagram; not if it has sent it and wants no copy (S8.6). */
  public boolean isFor(Member member, Chunk datagram) {
    return admission.admits(datagram.datagram)
        && (!member.blocksOwn
            || datagram.datagram.sourceQpn() != member.qp.qpNum()
            || !datagram.source.equals(local));
  }

  /**
   * Makes a queue pair that is not a member yet a member of a group.
   *
   * @param blocksOwn whether it gets no copy of its own datagrams to the group
   * @param group the group's IP address
   * @throws VerbsException ENOMEM beyond {@link #MAX_GROUPS} or {@link #MAX_MEMBERS}; if the link
   *     cannot join, with its errno
   */
  public synchronized void attach(QpRuntime qp, boolean blocksOwn, Address group) {
    List<Member> present = members(group);
    if (present.isEmpty()) {
      if (groups.size() == MAX_GROUPS) {
        throw full("is in its max_mcast_grp=" + MAX_GROUPS + " groups", group);
      }
      link.join(group);
    } else if (present.size() == MAX_MEMBERS) {
      throw full("has max_mcast_qp_attach=" + MAX_MEMBERS + " queue pairs in the group", group);
    }
    List<Member> more = new ArrayList<>(present);
    more.add(new Member(qp, blocksOwn));
    replace(group, more);
  }

  private VerbsException full(String why, Address group) {
    return new VerbsException(
        FUNCTION, Errno.ENOMEM, "group " + Gids.gid(group) + ": " + device + " " + why);
  }

  /**
   * Ends the membership of a queue pair in a group, if it is a member. Afterwards it gets no packet
   * to the group, not even one that was being delivered.
   */
  public synchronized void detach(QpRuntime qp, Address group) {
    List<Member> fewer = new ArrayList<>(members(group));
    if (!fewer.removeIf(member -> member.qp.equals(qp))) {
      return;
    }
    replace(group, fewer);
    if (fewer.isEmpty()) {
      link.leave(group);
    } else {
      link.quiesce();
    }
  }

  private void replace(Address group, List<Member> members) {
    Map<Address, List<Member>> all = new HashMap<>(groups);
    if (members.isEmpty()) {
      all.remove(group);
    } else {
      all.put(group, List.copyOf(members));
    }
    groups = Map.copyOf(all);
    largestGroup = all.values().stream().mapToInt(List::size).max().orElse(0);
  }
}
