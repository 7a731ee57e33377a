package dev.verbena.verbs.spi;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/**
 * An InfiniBand subnet inside this process, which software devices named {@code ib:NAME} join. It
 * is what a subnet manager knows and does: a {@link ManagementAgent} answers questions by it, and
 * tests and demonstrations change it to see how programs take that.
 *
 * <p>Each change is followed by its asynchronous event at every context of the ports that it is
 * about. Address handles and connections that exist keep the way to their port, whatever becomes of
 * its LID, and queue pairs their P_Key.
 */
public interface Subnet {
  /**
   * The subnet that a context's device is in.
   *
   * @throws VerbsException EOPNOTSUPP if it is in none
   */
  static Subnet of(Context context) {
    if (context instanceof SubnetMember member) {
      Subnet subnet = member.subnet();
      if (subnet != null) {
        return subnet;
      }
    }
    throw new VerbsException(
        "subnet",
        Errno.EOPNOTSUPP,
        context + " is on no InfiniBand subnet of this process; a device ib:NAME is");
  }

  /** Upper half of the subnet's GIDs. */
  long subnetPrefix();

  /** Propagation delay of the subnet, 4.096 µs × 2^n. */
  int subnetTimeout();

  /** LID of the port at which the {@link ManagementAgent} answers; 0 if there is none. */
  int smLid();

  /** Service level by which the agent is reached, 0 to 15. */
  int smSl();

  /** The ports that are there now, the agent's first if there is one. */
  List<SubnetPort> ports();

  /**
   * A port is a member of a multicast group from now on: what is sent to the group is delivered to
   * the queue pairs of this port that are attached to it. A port that leaves the subnet leaves its
   * groups.
   *
   * @param portGuid a port of this subnet
   * @param mgid GID of the group
   * @param mlid LID of the group, the same for each member
   * @throws VerbsException EINVAL if there is no such port, the GID or the LID is not one of a
   *     multicast group, or other members have another LID; ENOMEM if the port is in too many
   *     groups
   */
  void join(long portGuid, Gid mgid, int mlid);

  /** A port is a member of the group no more, if it was. */
  void leave(long portGuid, Gid mgid);

  /**
   * Gives a port another LID. Raises LID_CHANGE.
   *
   * @param lid a multiple of 2^LMC, below {@link Iba#LID_MULTICAST}, that with its path bits is no
   *     other port's
   * @throws VerbsException EINVAL if there is no such port, or the LID cannot be had
   */
  void assignLid(long portGuid, int lid);

  /**
   * Gives a port other P_Keys, in this order; the other entries of its table are empty. Raises
   * PKEY_CHANGE.
   *
   * @param pkeys numbers of 16 bits; 0 is an empty entry
   * @throws VerbsException EINVAL if there is no such port, or they are more than its table has
   *     entries
   */
  void assignPkeys(long portGuid, List<Integer> pkeys);

  /**
   * Moves the agent's port to another LID and service level. Raises SM_CHANGE at all ports.
   *
   * @throws VerbsException EINVAL if the LID cannot be had, or the service level is not in 0 to 15;
   *     ENODEV if there is no agent
   */
  void assignManager(int lid, int sl);

  /**
   * Asks all clients to join their groups and register their services again. Raises
   * CLIENT_REREGISTER at all ports.
   */
  void reregisterClients();
}
