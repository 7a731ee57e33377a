package dev.verbena.verbs;

import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A port of a device as the end of paths: its addresses, partitions and state. {@link Rdma} finds
 * end ports; {@link Context#endPort()} returns the one of an open device.
 *
 * <p>Its values are read when first needed, through a context that is open on the device, or else
 * by opening the device briefly. They are cached until {@link #lidChange}, {@link #smChange},
 * {@link #pkeyChange}, {@link #stateChange} or {@link #gidChange} is called, as {@link
 * Context#handleAsyncEvent} does when the device reports such a change, or until the device is
 * opened when no context was open. Safe for use by any thread.
 */
public final class EndPort {
  private static final int SUBNET_MANAGEMENT_QPN = 1;

  private final RdmaDevice device;
  private final int portId;
  private volatile @Nullable PortSnapshot kept;

  /** Guarded by this: how often the cached values were read or dropped. */
  private long generation;

  EndPort(RdmaDevice device, int portId) {
    this.device = device;
    this.portId = portId;
  }

  /** The device that the port belongs to. */
  public RdmaDevice device() {
    return device;
  }

  /** Its number, from 1. */
  public int portId() {
    return portId;
  }

  /** All values of the port, from one moment. */
  public PortSnapshot snapshot() {
    PortSnapshot known = kept;
    return known != null ? known : read();
  }

  /** Reads under the lock, so that values read before a change are not cached after it. */
  private synchronized PortSnapshot read() {
    PortSnapshot known = kept;
    if (known == null) {
      known = device.source().port(portId);
      kept = known;
      generation++;
    }
    return known;
  }

  private synchronized void forget() {
    kept = null;
    generation++;
  }

  /** Queries the port and caches the result, unless newer values arrived meanwhile. */
  PortAttr query(IntFunction<PortAttr> question) {
    long before = generation();
    PortAttr told = question.apply(portId);
    learn(told, before);
    return told;
  }

  private synchronized long generation() {
    return generation;
  }

  private synchronized void learn(PortAttr told, long asked) {
    PortSnapshot known = kept;
    if (known != null && generation == asked) {
      kept = known.with(told);
      generation++;
    }
  }

  /** Drops the cached values, because a context was opened on a device that was not open. */
  void opened() {
    forget();
  }

  /** Drops the cached values: the port's LIDs changed. */
  public void lidChange() {
    forget();
  }

  /** Drops the cached values: the subnet manager or its address changed. */
  public void smChange() {
    forget();
  }

  /** Drops the cached values: the P_Key table changed. */
  public void pkeyChange() {
    forget();
  }

  /** Drops the cached values: the port went up or down. */
  public void stateChange() {
    forget();
  }

  /** Drops the cached values: the GID table changed. */
  public void gidChange() {
    forget();
  }

  /** The P_Key table by index, 16 bits each. */
  public List<Integer> pkeys() {
    return snapshot().pkeys();
  }

  /** The GID table by index, {@link Gid#ZERO} for empty entries. */
  public List<Gid> gids() {
    return snapshot().gids();
  }

  /** The types of the GIDs by index; meaningless for empty entries. */
  public List<GidType> gidTypes() {
    return snapshot().gidTypes();
  }

  /** The first LID of the port; 0 on Ethernet. */
  public int lid() {
    return snapshot().lid();
  }

  /** How many low bits of a LID are path bits: the port has 2^lmc LIDs. */
  public int lmc() {
    return snapshot().lmc();
  }

  /** Logical state. */
  public PortState state() {
    return snapshot().state();
  }

  /** Physical state, as {@link PortAttr#physState()}. */
  public int physState() {
    return snapshot().physState();
  }

  /** Link layer. */
  public LinkLayer linkLayer() {
    return snapshot().linkLayer();
  }

  /** LID of the subnet manager; 0 if there is none, as on Ethernet. */
  public int smLid() {
    return snapshot().smLid();
  }

  /** Service level to reach the subnet manager. */
  public int smSl() {
    return snapshot().smSl();
  }

  /** The rate of the port. */
  public Rate rate() {
    return snapshot().rate();
  }

  /** Largest usable path MTU. */
  public Mtu mtu() {
    return snapshot().mtu();
  }

  /** {@link PortCap} bits. */
  public int capMask() {
    return snapshot().capMask();
  }

  /**
   * How long a packet may take through the subnet, as a timer code; 0 if no subnet manager has set
   * it, as on Ethernet.
   */
  public int subnetTimeout() {
    return snapshot().subnetTimeout();
  }

  /**
   * The GID at index 0, the source of paths that name no GID.
   *
   * @throws VerbsException ENODATA if there is none at present
   */
  public Gid defaultGid() {
    List<Gid> gids = gids();
    if (gids.isEmpty() || gids.getFirst().isZero()) {
      throw new VerbsException("defaultGid", Errno.ENODATA, this + " has no GID at index 0");
    }
    return gids.getFirst();
  }

  /** GUID of the port: the lower half of its default GID. */
  public Guid portGuid() {
    return defaultGid().guid();
  }

  /**
   * The index of a GID in the port's table; if it is listed for RoCE v1 and v2, the index of the v2
   * entry.
   *
   * @throws VerbsException ENOENT if it is not in the table
   */
  public int gidIndex(Gid gid) {
    int index = gid.isZero() ? -1 : snapshot().gidIndex(gid);
    if (index < 0) {
      throw new VerbsException(
          "gidIndex", Errno.ENOENT, "GID " + gid + " is not in the table of " + this);
    }
    return index;
  }

  /**
   * The index of a P_Key in the port's table; if the table has the partition only with the other
   * membership, the index of that entry.
   *
   * @throws VerbsException ENOENT if the port is not in the partition
   */
  public int pkeyIndex(int pkey) {
    List<Integer> pkeys = pkeys();
    // An empty entry is 0, which names no partition.
    boolean valid = (pkey & ~Iba.PKEY_FULL_MEMBER) != 0;
    int exact = valid ? pkeys.indexOf(pkey) : -1;
    int index = exact >= 0 || !valid ? exact : pkeys.indexOf(pkey ^ Iba.PKEY_FULL_MEMBER);
    if (index < 0) {
      throw new VerbsException(
          "pkeyIndex",
          Errno.ENOENT,
          String.format("P_Key 0x%04x is not in the table of %s", pkey, this));
    }
    return index;
  }

  /**
   * The path to the subnet administrator, which knows all other paths: queue pair 1 at the LID of
   * the subnet manager.
   *
   * @throws VerbsException ENETUNREACH if no subnet manager has set up the port, as on Ethernet
   */
  public IbPath saPath() {
    PortSnapshot known = snapshot();
    if (known.smLid() == 0) {
      throw new VerbsException("saPath", Errno.ENETUNREACH, "no subnet manager has set up " + this);
    }
    return IbPath.builder(this)
        .dlid(known.smLid())
        .slid(known.lid())
        .sl(known.smSl())
        .dqpn(SUBNET_MANAGEMENT_QPN)
        .sqpn(SUBNET_MANAGEMENT_QPN)
        .qkey(Iba.DEFAULT_QP1_QKEY)
        .build();
  }

  /** Device and port, as {@link Rdma#getEndPort} reads it: {@code soft0/1}. */
  @Override
  public String toString() {
    return device.name() + "/" + portId;
  }
}
