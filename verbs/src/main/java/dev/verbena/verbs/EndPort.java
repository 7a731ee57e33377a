package dev.verbena.verbs;

import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A port of a device, as the end of paths: its addresses, its partitions, its state. {@link Rdma}
 * finds end ports; {@link Context#endPort()} is that of an open device.
 *
 * <p>What it tells was read when first asked for, by a context that is open on the device, or else
 * by opening it for a moment. It is kept until {@link #lidChange}, {@link #smChange}, {@link
 * #pkeyChange}, {@link #stateChange} or {@link #gidChange} is called, as {@link
 * Context#handleAsyncEvent} does when the device tells of such a change, and until the device is
 * opened when it was not open. Any thread may use it.
 */
public final class EndPort {
  private static final int SUBNET_MANAGEMENT_QPN = 1;

  private final RdmaDevice device;
  private final int portId;
  private volatile @Nullable PortSnapshot kept;

  /** Guarded by this: how often what is kept was read or dropped. */
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

  /** All that is known of it, of one moment. */
  public PortSnapshot snapshot() {
    PortSnapshot known = kept;
    return known != null ? known : read();
  }

  /** Under the lock, so that what was read before a change is not kept after it. */
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

  /** Queries the port, and takes over what that tells, unless something newer came in between. */
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

  /** Drops what is kept, because a context is open on the device that was not open before. */
  void opened() {
    forget();
  }

  /** Drops what is kept: the port has other LIDs. */
  public void lidChange() {
    forget();
  }

  /** Drops what is kept: there is another subnet manager, or it has another address. */
  public void smChange() {
    forget();
  }

  /** Drops what is kept: the P_Key table changed. */
  public void pkeyChange() {
    forget();
  }

  /** Drops what is kept: the port went up or down. */
  public void stateChange() {
    forget();
  }

  /** Drops what is kept: the GID table changed. */
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

  /** The kinds of the GIDs by index; those of empty entries mean nothing. */
  public List<GidType> gidTypes() {
    return snapshot().gidTypes();
  }

  /** The first LID of the port; 0 on Ethernet. */
  public int lid() {
    return snapshot().lid();
  }

  /** How many low bits of a LID are the path's: the port has 2^lmc LIDs. */
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

  /** What the port carries. */
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
   * How long a packet may be on its way through the subnet, as a timer code; 0 if no subnet manager
   * told, as on Ethernet.
   */
  public int subnetTimeout() {
    return snapshot().subnetTimeout();
  }

  /**
   * The GID at index 0, from which paths start that name none.
   *
   * @throws VerbsException ENODATA if there is none at the moment
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
   * The index of a GID in the port's table; of one that is there as RoCE v1 and v2, that of v2.
   *
   * @throws VerbsException ENOENT if it is not there
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
   * The index of a P_Key in the port's table; that of the same partition with the other membership
   * if it is there as such only.
   *
   * @throws VerbsException ENOENT if the port is not in the partition
   */
  public int pkeyIndex(int pkey) {
    List<Integer> pkeys = pkeys();
    // An empty entry is 0, with which no partition is meant.
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
   * The path to the agent of the subnet administrator, who knows all other paths: queue pair 1 at
   * the LID of the subnet manager.
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
