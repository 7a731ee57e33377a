package dev.verbena.verbs.spi;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.VerbsException;
import java.util.List;

/**
 * An InfiniBand subnet inside this process, which software devices named {@code ib:NAME} join. It
 * has the knowledge and the functions of a subnet manager: a {@link ManagementAgent} uses it to
 * answer queries, and tests and demonstrations change it to see how programs react.
 *
 * <p>Each change raises its asynchronous event at every context of the ports concerned. Existing
 * address handles and connections keep their route to a port even if its LID changes, and queue
 * pairs keep their P_Key.
 */
public interface Subnet {
  /**
   * The subnet of a context's device.
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

  /** LID of the {@link ManagementAgent}'s port; 0 if there is none. */
  int smLid();

  /** Service level for reaching the agent, 0 to 15. */
  int smSl();

  /** The ports present now, starting with the agent's if there is one. */
  List<SubnetPort> ports();

  /**
   * Makes a port a member of a multicast group: messages to the group are delivered to the queue
   * pairs of this port that are attached to it. A port that leaves the subnet leaves its groups.
   *
   * @param portGuid a port of this subnet
   * @param mgid GID of the group
   * @param mlid LID of the group, the same for each member
   * @throws VerbsException EINVAL if there is no such port, the GID or the LID is not one of a
   *     multicast group, or other members have another LID; ENOMEM if the port is in too many
   *     groups
   */
  void join(long portGuid, Gid mgid, int mlid);

  /** Ends a port's membership of the group, if it is a member. */
  void leave(long portGuid, Gid mgid);

  /**
   * Gives a port another LID. Raises LID_CHANGE.
   *
   * @param lid a multiple of 2^LMC, below {@link Iba#LID_MULTICAST}, that, with its path bits, no
   *     other port has
   * @throws VerbsException EINVAL if there is no such port, or the LID is not available
   */
  void assignLid(long portGuid, int lid);

  /**
   * Gives a port other P_Keys, in this order; the other entries of its table are empty. Raises
   * PKEY_CHANGE.
   *
   * @param pkeys numbers of 16 bits; 0 is an empty entry
   * @throws VerbsException EINVAL if there is no such port, or there are more P_Keys than entries
   *     in its table
   */
  void assignPkeys(long portGuid, List<Integer> pkeys);

  /**
   * Moves the agent's port to another LID and service level. Raises SM_CHANGE at all ports.
   *
   * @throws VerbsException EINVAL if the LID is not available, or the service level is not in 0 to
   *     15; ENODEV if there is no agent
   */
  void assignManager(int lid, int sl);

  /**
   * Asks all clients to join their groups and register their services again. Raises
   * CLIENT_REREGISTER at all ports.
   */
  void reregisterClients();
}
