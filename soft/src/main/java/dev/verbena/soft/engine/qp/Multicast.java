package dev.verbena.soft.engine.qp;

import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.DatagramHeader;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The multicast groups of a device: which of its queue pairs get what is sent to a group. The link
 * is in a group as long as a queue pair is. Groups are IP addresses, see {@link
 * dev.verbena.wire.MulticastGroup}. Looking one up takes no lock.
 */
public final class Multicast {
  /** Most groups of one device: each takes a socket of the UDP link. */
  public static final int MAX_GROUPS = 256;

  /** Most queue pairs of one group. */
  public static final int MAX_MEMBERS = 256;

  private static final String FUNCTION = "attachMcast";

  /** How the device's link gets into a group and out of it. */
  public interface Membership {
    /** See {@link dev.verbena.soft.link.Link#join}. */
    void join(long hi, long lo);

    /** See {@link dev.verbena.soft.link.Link#leave}. */
    void leave(long hi, long lo);

    /** Whether datagrams of the device with this address come without packets, too. */
    boolean isNear(long hi, long lo);
  }

  /** Which of the datagrams to groups that reach the device are for it. */
  @FunctionalInterface
  public interface Admission {
    /** Whether the members get this one. */
    boolean admits(DatagramHeader datagram);
  }

  /**
   * A queue pair in a group.
   *
   * @param qp the queue pair
   * @param blocksOwn whether it gets no copy of what it sends to the group itself (S8.6)
   */
  public record Member(QpRuntime qp, boolean blocksOwn) {}

  private record Group(long hi, long lo, List<Member> members) {
    boolean is(long otherHi, long otherLo) {
      return lo == otherLo && hi == otherHi;
    }
  }

  private final String device;
  private final Membership link;
  private final Admission admission;
  private final long localHi;
  private final long localLo;
  private volatile Group[] groups = {};
  private volatile int largestGroup;

  /**
   * @param device name for messages
   * @param localHi upper half of its address
   * @param localLo lower half of its address
   * @param link gets into groups
   * @param admission which datagrams are for the members
   */
  public Multicast(
      String device, long localHi, long localLo, Membership link, Admission admission) {
    this.device = device;
    this.localHi = localHi;
    this.localLo = localLo;
    this.link = link;
    this.admission = admission;
  }

  /**
   * Whether packets from this address to groups are second copies: their sender has handed the
   * datagrams over without packets, and sends packets for those whom it does not reach so. It may
   * have ended since.
   */
  public boolean cameWithoutPacket(long srcHi, long srcLo) {
    return link.isNear(srcHi, srcLo);
  }

  /** The queue pairs that get what is sent to a group. */
  public List<Member> members(long hi, long lo) {
    for (Group group : groups) {
      if (group.is(hi, lo)) {
        return group.members;
      }
    }
    return List.of();
  }

  /** The most copies that a datagram comes to: the members of the largest group, or 0. */
  public int largestGroup() {
    return largestGroup;
  }

  /** Whether a member gets this datagram: not if it has sent it and wants no copy (S8.6). */
  public boolean isFor(Member member, Chunk datagram) {
    return admission.admits(datagram.datagram())
        && (!member.blocksOwn
            || datagram.datagram().sourceQpn() != member.qp.qpNum()
            || datagram.sourceLo() != localLo
            || datagram.sourceHi() != localHi);
  }

  /**
   * Makes a queue pair, which is none yet, a member of a group.
   *
   * @param blocksOwn whether it gets no copy of what it sends to the group itself
   * @param hi upper half of the group's IP address
   * @param lo lower half of the group's IP address
   * @throws VerbsException ENOMEM beyond {@link #MAX_GROUPS} or {@link #MAX_MEMBERS}; if the link
   *     cannot join, what it says
   */
  public synchronized void attach(QpRuntime qp, boolean blocksOwn, long hi, long lo) {
    List<Member> present = members(hi, lo);
    if (present.isEmpty()) {
      if (groups.length == MAX_GROUPS) {
        throw full("is in its max_mcast_grp=" + MAX_GROUPS + " groups", hi, lo);
      }
      link.join(hi, lo);
    } else if (present.size() == MAX_MEMBERS) {
      throw full("has max_mcast_qp_attach=" + MAX_MEMBERS + " queue pairs in the group", hi, lo);
    }
    List<Member> more = new ArrayList<>(present);
    more.add(new Member(qp, blocksOwn));
    replace(hi, lo, more);
  }

  private VerbsException full(String why, long hi, long lo) {
    return new VerbsException(
        FUNCTION, Errno.ENOMEM, "group " + new Gid(hi, lo) + ": " + device + " " + why);
  }

  /** Ends the membership of a queue pair in a group, if it is a member. */
  public synchronized void detach(QpRuntime qp, long hi, long lo) {
    List<Member> fewer = new ArrayList<>(members(hi, lo));
    if (!fewer.removeIf(member -> member.qp.equals(qp))) {
      return;
    }
    replace(hi, lo, fewer);
    if (fewer.isEmpty()) {
      link.leave(hi, lo);
    }
  }

  private void replace(long hi, long lo, List<Member> members) {
    List<Group> all = new ArrayList<>(Arrays.asList(groups));
    all.removeIf(group -> group.is(hi, lo));
    if (!members.isEmpty()) {
      all.add(new Group(hi, lo, List.copyOf(members)));
    }
    groups = all.toArray(Group[]::new);
    largestGroup = all.stream().mapToInt(group -> group.members().size()).max().orElse(0);
  }
}
