package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.open.SoftPort;
import dev.verbena.soft.engine.qp.Multicast;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.link.Gids;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpCreateFlags;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The multicast groups of a queue pair (S8). Each membership is an object of the queue pair: it
 * keeps the queue pair from being destroyed, and ends when the queue pair is closed.
 */
final class McastGroups {
  private static final String ATTACH = "attachMcast";
  private static final String DETACH = "detachMcast";

  private final Lifetime qp;
  private final QpType type;
  private final Joined joined;
  private final SoftPort port;
  private final Map<Gid, Membership> memberships = new HashMap<>();

  /**
   * @param qp the queue pair's lifetime
   * @param init its attributes
   * @param port the device's
   */
  McastGroups(Lifetime qp, QpInitAttr init, QpRuntime runtime, Multicast multicast, SoftPort port) {
    this.qp = qp;
    this.type = init.qpType();
    boolean blocksOwn = (init.createFlags() & QpCreateFlags.BLOCK_SELF_MCAST_LB) != 0;
    this.joined = new Joined(runtime, blocksOwn, multicast);
    this.port = port;
  }

  /**
   * Joins a group; does nothing if the queue pair is in it (S8.2).
   *
   * @param lid the group's, on InfiniBand
   * @throws VerbsException EINVAL, ENOMEM, or the link's errno
   */
  synchronized void attach(Gid gid, int lid) {
    Gid group = checked(ATTACH, gid, lid);
    if (joined.join(group)) {
      Membership membership = new Membership(group);
      memberships.put(group, membership);
      membership.lifetime.begin(ATTACH, List.of());
    }
  }

  /**
   * Leaves a group.
   *
   * @throws VerbsException EINVAL if the queue pair is not in it
   */
  void detach(Gid gid, int lid) {
    Membership membership = find(checked(DETACH, gid, lid));
    if (membership == null) {
      throw notIn(gid);
    }
    try {
      membership.lifetime.destroy();
    } catch (ObjectClosedException e) {
      qp.require(DETACH);
      throw notIn(gid);
    }
  }

  private synchronized @Nullable Membership find(Gid group) {
    return memberships.get(group);
  }

  private VerbsException notIn(Gid gid) {
    return refused(DETACH, qp.name() + " is not in the group " + gid);
  }

  /** The address of the group that a GID represents. */
  private Gid checked(String function, Gid gid, int lid) {
    if (type != QpType.UD) {
      throw refused(function, qp.name() + " is " + type + "; only UD can be in a group");
    }
    if (!gid.isMulticast()) {
      throw refused(function, gid + " is not a multicast GID: ff.. or ::ffff:224.0.0.0/4");
    }
    return port.group(function, gid, lid);
  }

  private static VerbsException refused(String function, String detail) {
    return new VerbsException(function, Errno.EINVAL, detail);
  }

  private static Runnable leaving(Joined joined, Gid group) {
    return () -> joined.leave(group);
  }

  /** The groups of the queue pair, in the part that the device holds. */
  private static final class Joined {
    private final QpRuntime runtime;
    private final boolean blocksOwn;
    private final Multicast multicast;
    private final Set<Gid> groups = new HashSet<>();

    Joined(QpRuntime runtime, boolean blocksOwn, Multicast multicast) {
      this.runtime = runtime;
      this.blocksOwn = blocksOwn;
      this.multicast = multicast;
    }

    /** Joins a group; returns false if the queue pair is already in it. */
    synchronized boolean join(Gid group) {
      if (groups.contains(group)) {
        return false;
      }
      multicast.attach(runtime, blocksOwn, Gids.address(group));
      return groups.add(group);
    }

    synchronized void leave(Gid group) {
      groups.remove(group);
      multicast.detach(runtime, Gids.address(group));
    }
  }

  /** The membership of the queue pair in a group. */
  private final class Membership implements Lifetime.Ending {
    private final Gid group;
    private final Lifetime lifetime;

    Membership(Gid group) {
      this.group = group;
      this.lifetime = qp.child(Kind.MCAST, group + " of " + qp.name(), this);
    }

    @Override
    public Runnable release() {
      return leaving(joined, group);
    }

    @Override
    public void tearDown() {
      synchronized (McastGroups.this) {
        // Unless the queue pair has joined again since.
        memberships.remove(group, this);
      }
    }
  }
}
