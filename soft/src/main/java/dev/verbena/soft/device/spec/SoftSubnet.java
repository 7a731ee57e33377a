package dev.verbena.soft.device.spec;

import dev.verbena.soft.engine.qp.Multicast;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.verbs.spi.SubnetPort;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The InfiniBand subnet of this process: its nodes and their LIDs. Nodes come and go, and get LIDs
 * in the order in which they come. Events are raised without the lock, because their receivers may
 * query the subnet.
 */
public final class SoftSubnet implements Subnet {
  /** 4.096 µs × 2^18: 1.1 s, as usual for subnet managers. */
  private static final int TIMEOUT = 18;

  private static final int MANAGER_LID = 1;

  /** How many nodes that have left keep their LIDs. */
  private static final int REMEMBERED = 4096;

  private SubnetNode[] nodes = {};
  private int lastLid = MANAGER_LID;

  @SuppressWarnings("serial") // never serialised
  private final Map<String, Integer> formerLids =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > REMEMBERED;
        }
      };

  private volatile @Nullable SubnetNode manager;
  private volatile int smSl;
  private volatile LongConsumer departures = portGuid -> {};

  /**
   * A node joins.
   *
   * @param events takes the events of its port
   * @throws VerbsException ENOMEM if there are no LIDs left
   */
  public synchronized SubnetNode enter(NodeSpec spec, Consumer<EventType> events) {
    int lid = spec.isManager() ? MANAGER_LID : lidFor(spec);
    SubnetNode node = new SubnetNode(this, spec, lid, events);
    nodes = Arrays.copyOf(nodes, nodes.length + 1);
    nodes[nodes.length - 1] = node;
    if (spec.isManager()) {
      manager = node;
    }
    return node;
  }

  /** Its previous LID, so that programs that know the LID find it again, or the next free one. */
  private int lidFor(NodeSpec spec) {
    Integer former = formerLids.remove(spec.name());
    boolean fits =
        former != null && former % (1 << spec.lmc()) == 0 && isFree(former, spec.lmc(), null);
    return former != null && fits ? former : nextLid(spec);
  }

  /**
   * The next free ones after those assigned last, so that a LID is not reused soon after its port
   * leaves.
   */
  private int nextLid(NodeSpec spec) {
    int count = 1 << spec.lmc();
    int lid = lastLid;
    for (int tried = 0; tried < Iba.LID_MULTICAST; tried += count) {
      lid = (lid / count + 1) * count;
      if (lid + count > Iba.LID_MULTICAST) {
        lid = count;
      }
      if (lid > MANAGER_LID && isFree(lid, spec.lmc(), null)) {
        lastLid = lid + count - 1;
        return lid;
      }
    }
    throw new VerbsException(
        "openDevice",
        Errno.ENOMEM,
        spec.deviceName() + " needs " + count + " consecutive LIDs, and there are none left");
  }

  private boolean isFree(int lid, int lmc, @Nullable SubnetNode except) {
    int last = lid + (1 << lmc) - 1;
    return Arrays.stream(nodes)
        .filter(node -> !node.equals(except))
        .noneMatch(node -> node.lid() <= last && lid < node.lid() + (1 << node.spec().lmc()));
  }

  /** A node leaves, and leaves its groups. */
  public synchronized void leave(SubnetNode node) {
    nodes = Arrays.stream(nodes).filter(other -> !other.equals(node)).toArray(SubnetNode[]::new);
    if (node.equals(manager)) {
      manager = null;
      departures = portGuid -> {};
    } else {
      formerLids.put(node.spec().name(), node.lid());
    }
    departures.accept(node.spec().portGuid());
  }

  /** Sets the listener for the GUIDs of ports that leave, until the manager's node leaves. */
  public void whenPortLeaves(LongConsumer listener) {
    departures = listener;
  }

  /** The node whose port has this LID, or null. */
  public synchronized @Nullable SubnetNode find(int lid) {
    for (SubnetNode node : nodes) {
      if (node.hasLid(lid)) {
        return node;
      }
    }
    return null;
  }

  @Override
  public long subnetPrefix() {
    return NodeSpec.PREFIX;
  }

  @Override
  public int subnetTimeout() {
    return TIMEOUT;
  }

  @Override
  public int smLid() {
    SubnetNode present = manager;
    return present == null ? 0 : present.lid();
  }

  @Override
  public int smSl() {
    return smSl;
  }

  @Override
  public synchronized List<SubnetPort> ports() {
    return Arrays.stream(nodes).map(SubnetNode::describe).toList();
  }

  @Override
  public synchronized void join(long portGuid, Gid mgid, int mlid) {
    SubnetNode node = port("join", portGuid);
    if (mgid.subnetPrefix() >>> 56 != 0xff) {
      throw refused("join", mgid + " is not a multicast GID: ff..");
    }
    checkMlid("join", mlid);
    for (SubnetNode other : nodes) {
      int theirs = other.mlid(mgid);
      if (theirs != 0 && theirs != mlid && !other.equals(node)) {
        throw refused(
            "join",
            "the group " + mgid + " has " + lid(theirs) + " at " + other + ", not " + lid(mlid));
      }
    }
    if (node.mlid(mgid) == 0 && node.groupCount() == Multicast.MAX_GROUPS) {
      throw new VerbsException(
          "join",
          Errno.ENOMEM,
          node + " is in its max_mcast_grp=" + Multicast.MAX_GROUPS + " groups");
    }
    node.join(mgid, mlid);
  }

  /**
   * Refuses a LID that is not a group's.
   *
   * @throws VerbsException EINVAL
   */
  public static void checkMlid(String function, int mlid) {
    if (!isMulticast(mlid)) {
      throw refused(function, lid(mlid) + " is not one of a multicast group, 0xc000 to 0xfffe");
    }
  }

  /** Whether this is the LID of a multicast group. */
  public static boolean isMulticast(int lid) {
    return lid >= Iba.LID_MULTICAST && lid <= Iba.LID_MULTICAST_LAST;
  }

  @Override
  public synchronized void leave(long portGuid, Gid mgid) {
    SubnetNode node = byGuid(portGuid);
    if (node != null) {
      node.leave(mgid);
    }
  }

  @Override
  public void assignLid(long portGuid, int lid) {
    move("assignLid", portGuid, lid).raise(EventType.LID_CHANGE);
  }

  private synchronized SubnetNode move(String function, long portGuid, int lid) {
    SubnetNode node = port(function, portGuid);
    int count = 1 << node.spec().lmc();
    if (lid < 1 || lid % count != 0 || lid + count > Iba.LID_MULTICAST) {
      throw refused(
          function,
          lid(lid)
              + " is not a multiple of 2^lmc="
              + count
              + " from 1 to 0xbfff, as "
              + node
              + " needs it");
    }
    if (!isFree(lid, node.spec().lmc(), node)) {
      throw refused(
          function, lid(lid) + ", or one of the " + count + " from it, is another port's");
    }
    node.lid(lid);
    return node;
  }

  @Override
  public void assignPkeys(long portGuid, List<Integer> pkeys) {
    change(portGuid, pkeys).raise(EventType.PKEY_CHANGE);
  }

  private synchronized SubnetNode change(long portGuid, List<Integer> pkeys) {
    SubnetNode node = port("assignPkeys", portGuid);
    if (pkeys.size() > Limits.IB_PKEYS) {
      throw refused(
          "assignPkeys",
          pkeys.size() + " P_Keys, the table of " + node + " has " + Limits.IB_PKEYS + " entries");
    }
    for (int pkey : pkeys) {
      if (pkey < 0 || pkey > Limits.MAX_PKEY) {
        throw refused("assignPkeys", "P_Key " + pkey + " is not in 0 to 0xffff");
      }
    }
    node.pkeys(pkeys);
    return node;
  }

  @Override
  public void assignManager(int lid, int sl) {
    if (sl < 0 || sl > Limits.MAX_SL) {
      throw refused("assignManager", "service level " + sl + " is not in 0 to " + Limits.MAX_SL);
    }
    SubnetNode present = manager;
    if (present == null) {
      throw new VerbsException(
          "assignManager",
          Errno.ENODEV,
          "this subnet has no manager: no ManagementAgent is on the class path or module path");
    }
    move("assignManager", present.spec().portGuid(), lid);
    smSl = sl;
    raiseAtAll(EventType.SM_CHANGE);
  }

  @Override
  public void reregisterClients() {
    raiseAtAll(EventType.CLIENT_REREGISTER);
  }

  private void raiseAtAll(EventType type) {
    for (SubnetNode node : present()) {
      node.raise(type);
    }
  }

  private synchronized SubnetNode[] present() {
    return nodes;
  }

  private SubnetNode port(String function, long portGuid) {
    SubnetNode node = byGuid(portGuid);
    if (node == null) {
      throw refused(
          function, "no port of this subnet has the GUID 0x" + Long.toHexString(portGuid));
    }
    return node;
  }

  private @Nullable SubnetNode byGuid(long portGuid) {
    for (SubnetNode node : nodes) {
      if (node.spec().portGuid() == portGuid) {
        return node;
      }
    }
    return null;
  }

  private static String lid(int lid) {
    return "LID 0x" + Integer.toHexString(lid);
  }

  private static VerbsException refused(String function, String detail) {
    return new VerbsException(function, Errno.EINVAL, detail);
  }
}
