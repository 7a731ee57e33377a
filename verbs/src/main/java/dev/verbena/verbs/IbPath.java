package dev.verbena.verbs;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything needed to reach a queue pair: its address, the route of packets, and the values that
 * both ends have agreed on. {@link ProtectionDomain#ah(IbPath)} makes an address handle from a
 * path, and {@link QueuePair#establish} connects a queue pair along it.
 *
 * <pre>{@code
 * IbPath path = IbPath.builder(endPort).dgid(dgid).dqpn(17).qkey(0x11111111).build();
 * path = Paths.resolveLocally(path);
 * qp.establish(path);
 * }</pre>
 *
 * <p>"Source" means this end, at the {@link #endPort}, and "destination" the other one. An unset
 * GID or LID is zero. A path is immutable: {@link #copy}, {@link #reverse} and similar methods
 * return new ones. Paths are equal if all their values are, including the end port.
 *
 * <p>Times are timer codes: code c is 4.096 µs × 2^c ({@link Iba#fromTimer}), so 20 is 4.3 s. Some
 * defaults, which are those of python-rdma, do not suit connections that may lose packets: there
 * are no retries, and the MTU is 256 bytes. {@link dev.verbena.verbs.path.Paths#from} sets usual
 * values.
 *
 * <p>A path caches the address handles made from it, one for each protection domain, until {@link
 * #dropCache}. New paths have an empty cache. Any thread may use a path.
 */
public final class IbPath {
  /** Maximum length in bytes of the {@linkplain #toBytes serialised form}. */
  public static final int MAX_BYTES = 221;

  private static final int GLOBAL_HOPS = 255;

  private final @Nullable EndPort endPort;
  private final Gid dgid;
  private final Gid sgid;

  /** The values that differ from the defaults. */
  private final Map<PathField, Integer> values;

  private final List<Integer> drPath;
  private final @Nullable IbPath forward;
  private final @Nullable IbPath back;
  private final PathHandles handles = new PathHandles();

  private IbPath(Builder from) {
    this.endPort = from.endPort;
    this.dgid = from.dgid;
    this.sgid = from.sgid;
    this.values = new EnumMap<>(from.values);
    this.drPath = from.drPath;
    this.forward = from.forward;
    this.back = from.back;
  }

  /** A builder of a path without an end port. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder of a path that begins at this port. */
  public static Builder builder(EndPort endPort) {
    return new Builder().endPort(endPort);
  }

  /** A builder initialised with the values of this path. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.endPort = endPort;
    builder.dgid = dgid;
    builder.sgid = sgid;
    builder.values.putAll(values);
    builder.drPath = drPath;
    builder.forward = forward;
    builder.back = back;
    return builder;
  }

  /** The same path with other values: {@code path.copy(b -> b.dlid(4))}. */
  public IbPath copy(Consumer<Builder> changes) {
    Builder builder = toBuilder();
    changes.accept(builder);
    return builder.build();
  }

  /**
   * Parses the text that {@link #toString} returns: {@code IBPath(DGID='fe80::1', DLID=4)}. Numbers
   * are decimal, or hexadecimal with 0x. The text may come from an untrusted source. It contains no
   * end port.
   *
   * @throws VerbsException EINVAL for anything else, for an attribute given twice, and for no
   *     attribute at all
   */
  public static IbPath fromSpecString(String text) {
    return PathText.parseSpec(text);
  }

  /**
   * Parses the usual ways to name a destination: a port's GID; {@code GID%DEVICE/PORT}, which
   * includes the end port; a port's GUID, in four groups or as 0x with 16 digits, to which the
   * subnet prefix of {@code endPort} is added; a LID, decimal or hexadecimal with 0x; a directed
   * route such as {@code 0,1,4}; or the text that {@link #fromSpecString} reads.
   *
   * @param endPort where the path begins, unless the text names an end port
   * @throws VerbsException EINVAL for anything else; as {@link Rdma#getEndPort(String)} for the end
   *     port
   */
  public static IbPath fromString(String text, EndPort endPort) {
    return PathText.parse(text, endPort);
  }

  /**
   * The serialised form, for side channels. It omits the end port and the directed route, which
   * mean nothing elsewhere. It has at most {@value #MAX_BYTES} bytes, big-endian:
   *
   * <ul>
   *   <li>the letters {@code VBP1}; another format would start with other letters
   *   <li>2 bytes: the number of bytes after these eight
   *   <li>2 bytes of flags: 1 if a forward path follows, 2 if a return path follows
   *   <li>the path, and then those that follow: DGID, SGID (16 bytes each), DLID, SLID (2), SL (1),
   *       P_Key (2), has_grh, MTU, rate, hop_limit (1), flow_label (3), traffic_class,
   *       packet_life_time (63 to use the end port's), resp_time, dack_resp_time, sack_resp_time
   *       (1), dqpn, sqpn (3), qkey (4), dqpsn, sqpsn (3), drdatomic, srdatomic, retries,
   *       min_rnr_timer (1)
   * </ul>
   */
  public byte[] toBytes() {
    return PathBytes.write(this);
  }

  /**
   * Reads what {@link #toBytes()} wrote. The bytes may come from an untrusted source.
   *
   * @throws VerbsException EINVAL for anything else; nothing else is thrown
   */
  public static IbPath ofBytes(byte[] bytes) {
    return PathBytes.read(bytes);
  }

  /** Whether the path has an end port. */
  public boolean hasEndPort() {
    return endPort != null;
  }

  /**
   * The end port, where the path begins.
   *
   * @throws VerbsException EINVAL if there is none, as after {@link #ofBytes}
   */
  public EndPort endPort() {
    if (endPort == null) {
      throw new VerbsException(
          "ibPath", Errno.EINVAL, "this path has no end port; withEndPort gives it one: " + this);
    }
    return endPort;
  }

  /** The same path, beginning at this port. */
  public IbPath withEndPort(EndPort port) {
    return copy(builder -> builder.endPort(port));
  }

  /**
   * The same path, beginning at the port of this device that has the source GID, or else the source
   * LID.
   *
   * @throws VerbsException ENOENT if no port of the device has it
   */
  public IbPath withEndPort(RdmaDevice device) {
    for (EndPort port : device.endPorts()) {
      if (sgid.isZero() ? ownsSlid(port) : port.gids().contains(sgid)) {
        return withEndPort(port);
      }
    }
    throw new VerbsException(
        "ibPath",
        Errno.ENOENT,
        "no port of " + device + " has " + (sgid.isZero() ? "LID " + slid() : "GID " + sgid));
  }

  private boolean ownsSlid(EndPort port) {
    return port.lid() != 0 && (slid() & -(1 << port.lmc())) == port.lid();
  }

  int get(PathField field) {
    return values.getOrDefault(field, field.initial());
  }

  /** GID of the destination. */
  public Gid dgid() {
    return dgid;
  }

  /** GID of the source; zero for the {@linkplain EndPort#defaultGid default}. */
  public Gid sgid() {
    return sgid;
  }

  /** LID of the destination. */
  public int dlid() {
    return get(PathField.DLID);
  }

  /** LID of the source. */
  public int slid() {
    return get(PathField.SLID);
  }

  /** Service level, 0 to 15. */
  public int sl() {
    return get(PathField.SL);
  }

  /** P_Key, 16 bits; by default the P_Key of the default partition. */
  public int pkey() {
    return get(PathField.PKEY);
  }

  /** Whether packets have a global route header, as they must on RoCE. */
  public boolean hasGrh() {
    return get(PathField.HAS_GRH) != 0;
  }

  /** Path MTU; by default 256 bytes. */
  public Mtu mtu() {
    return Mtu.of(get(PathField.MTU));
  }

  /** Static rate; by default 2.5 Gbit/s. */
  public Rate rate() {
    return Rate.of(get(PathField.RATE));
  }

  /** Hop limit, 0 to 255. */
  public int hopLimit() {
    return get(PathField.HOP_LIMIT);
  }

  /** Flow label, 20 bits. */
  public int flowLabel() {
    return get(PathField.FLOW_LABEL);
  }

  /** Traffic class, 0 to 255. */
  public int trafficClass() {
    return get(PathField.TRAFFIC_CLASS);
  }

  /**
   * How long a packet is in transit, as a timer code. By default the value of the end port's
   * subnet, or 18 if it is not known.
   */
  public int packetLifeTime() {
    int own = get(PathField.PACKET_LIFE_TIME);
    if (own != PathField.PACKET_LIFE_TIME.initial()) {
      return own;
    }
    int subnet = endPort == null ? 0 : endPort.subnetTimeout();
    return subnet == 0 ? Iba.DEFAULT_SUBNET_TIMEOUT : subnet;
  }

  /** How long an agent may take to answer a management datagram, as a timer code; 20 by default. */
  public int respTime() {
    return get(PathField.RESP_TIME);
  }

  /** How long the destination takes for an ACK, as a timer code; 20 by default. */
  public int dackRespTime() {
    return get(PathField.DACK_RESP_TIME);
  }

  /** How long the source takes for an ACK, as a timer code; 20 by default. */
  public int sackRespTime() {
    return get(PathField.SACK_RESP_TIME);
  }

  /** Queue pair number of the destination, 24 bits. */
  public int dqpn() {
    return get(PathField.DQPN);
  }

  /** Queue pair number of the source, 24 bits. */
  public int sqpn() {
    return get(PathField.SQPN);
  }

  /** Q_Key of datagrams. */
  public int qkey() {
    return get(PathField.QKEY);
  }

  /** First packet sequence number that the destination sends, 24 bits. */
  public int dqpsn() {
    return get(PathField.DQPSN);
  }

  /** First packet sequence number that the source sends, 24 bits. */
  public int sqpsn() {
    return get(PathField.SQPSN);
  }

  /** The destination's READs and atomics that the source executes at a time; 255 by default. */
  public int drdatomic() {
    return get(PathField.DRDATOMIC);
  }

  /** READs and atomics that the source has outstanding at a time; 255 by default. */
  public int srdatomic() {
    return get(PathField.SRDATOMIC);
  }

  /** Retransmissions before an error, 0 to 7; 0 by default: the first lost packet is the error. */
  public int retries() {
    return get(PathField.RETRIES);
  }

  /**
   * How long a peer must wait when no receive is posted for its message, as an RNR timer code. This
   * is not a {@linkplain Iba#fromTimer timer code}: 1 is 0.01 ms, 12 is 0.64 ms, 31 is 491.52 ms,
   * and 0, the default, is the longest, 655.36 ms.
   */
  public int minRnrTimer() {
    return get(PathField.MIN_RNR_TIMER);
  }

  /** The ports of a directed route, starting with this one; empty if the path has none. */
  public List<Integer> drPath() {
    return drPath;
  }

  /**
   * The index of the source GID in the table of the end port; 0 if no source GID is set.
   *
   * @throws VerbsException ENOENT if it is not in the table
   */
  public int sgidIndex() {
    return sgid.isZero() ? 0 : endPort().gidIndex(sgid);
  }

  /**
   * The index of the P_Key in the table of the end port ({@link EndPort#pkeyIndex}).
   *
   * @throws VerbsException ENOENT if it is not in the table
   */
  public int pkeyIndex() {
    return endPort().pkeyIndex(pkey());
  }

  /** The low LMC bits of the source LID, which distinguish the LIDs of the end port. */
  public int slidBits() {
    return slid() & lidBits();
  }

  /** The low LMC bits of the destination LID, by the LMC of the end port. */
  public int dlidBits() {
    return dlid() & lidBits();
  }

  private int lidBits() {
    return (1 << endPort().lmc()) - 1;
  }

  /**
   * How long to wait for the response to a management datagram: transit there, processing, and
   * transit back.
   */
  public Duration madTimeout() {
    return thereAndBack(respTime());
  }

  /**
   * How long to wait for an ACK: transit there, processing at the destination, and transit back.
   */
  public Duration qpTimeout() {
    return thereAndBack(dackRespTime());
  }

  private Duration thereAndBack(int workTimer) {
    return Iba.fromTimer(packetLifeTime()).multipliedBy(2).plus(Iba.fromTimer(workTimer));
  }

  /**
   * Whether the path has all addresses that packets need. On InfiniBand these are both LIDs and,
   * with a global route, both GIDs; on Ethernet a global route with both GIDs. For a path without
   * an end port, which may be of either kind, a complete global route is enough.
   */
  public boolean complete() {
    boolean local = dlid() != 0 && slid() != 0;
    boolean global = !dgid.isZero() && !sgid.isZero();
    LinkLayer layer = endPort == null ? LinkLayer.UNSPECIFIED : endPort.linkLayer();
    return switch (layer) {
      case INFINIBAND -> local && (global || !hasGrh());
      case ETHERNET -> hasGrh() && global;
      case UNSPECIFIED -> hasGrh() ? global : local;
    };
  }

  /**
   * The path of packets to the destination. If it differs from the way back, this is the forward
   * path with this path's end port and the values that the queue pairs agreed on, including the
   * MTU; otherwise this path.
   */
  public IbPath forwardPath() {
    return forward == null ? this : withTermsOf(this, forward);
  }

  /** The path of packets from the destination; otherwise like {@link #forwardPath()}. */
  public IbPath returnPath() {
    return back == null ? this : withTermsOf(this, back);
  }

  /** The path as set, or null. */
  @Nullable IbPath ownForward() {
    return forward;
  }

  /** The path as set, or null. */
  @Nullable IbPath ownReturn() {
    return back;
  }

  private static IbPath withTermsOf(IbPath whole, IbPath way) {
    Builder builder = way.toBuilder();
    builder.endPort = whole.endPort;
    for (PathField field : PathField.TERMS) {
      builder.set(field, Integer.toUnsignedLong(whole.get(field)));
    }
    return builder.build();
  }

  /** The path for a reply; see {@link #reverse(boolean)}. */
  public IbPath reverse() {
    return reverse(true);
  }

  /**
   * The path as the other end sees it, or the way back: source and destination are exchanged in
   * GIDs, LIDs, queue pair numbers, packet sequence numbers, times for ACKs, READs and atomics, and
   * in the forward and return paths. The end port stays; the other end must set its own ({@link
   * #withEndPort}). A directed route is dropped, because it says nothing about the way back.
   *
   * @param forReply whether the path is for a reply to what arrived along this one: then the hop
   *     limit of a global route becomes 255, because the hops left on arrival say nothing about the
   *     way back
   */
  public IbPath reverse(boolean forReply) {
    Builder builder = toBuilder();
    builder.dgid = sgid;
    builder.sgid = dgid;
    builder.forward = back;
    builder.back = forward;
    builder.drPath = List.of();
    for (List<PathField> pair : PathField.SIDES) {
      builder.set(pair.getFirst(), Integer.toUnsignedLong(get(pair.getLast())));
      builder.set(pair.getLast(), Integer.toUnsignedLong(get(pair.getFirst())));
    }
    if (forReply && hasGrh()) {
      builder.hopLimit(GLOBAL_HOPS);
    }
    return builder.build();
  }

  /**
   * Closes the address handles that {@link ProtectionDomain#ah(IbPath)} has cached for this path.
   * Call it when the requests that name them have completed.
   */
  public void dropCache() {
    handles.drop();
  }

  PathHandles handles() {
    return handles;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IbPath path
        && Objects.equals(endPort, path.endPort)
        && dgid.equals(path.dgid)
        && sgid.equals(path.sgid)
        && values.equals(path.values)
        && drPath.equals(path.drPath)
        && Objects.equals(forward, path.forward)
        && Objects.equals(back, path.back);
  }

  @Override
  public int hashCode() {
    return Objects.hash(endPort, dgid, sgid, values, drPath, forward, back);
  }

  /**
   * The text that {@link #fromSpecString} parses, with the values that differ from the defaults. It
   * omits the end port and the forward and return paths.
   */
  @Override
  public String toString() {
    return PathText.format(this);
  }

  /**
   * Collects the values of a path. Each setter throws EINVAL for a number outside the attribute's
   * range; the device decides whether it accepts the value.
   */
  public static final class Builder {
    private static final int MAX_PORT = 0xff;

    /** Maximum number of hops of a directed route. */
    private static final int MAX_HOPS = 63;

    private @Nullable EndPort endPort;
    private Gid dgid = Gid.ZERO;
    private Gid sgid = Gid.ZERO;
    private final Map<PathField, Integer> values = new EnumMap<>(PathField.class);
    private List<Integer> drPath = List.of();
    private @Nullable IbPath forward;
    private @Nullable IbPath back;

    private Builder() {}

    /** The path. */
    public IbPath build() {
      return new IbPath(this);
    }

    Builder set(PathField field, long value) {
      int checked = field.checked(value);
      if (checked == field.initial()) {
        values.remove(field);
      } else {
        values.put(field, checked);
      }
      return this;
    }

    private EndPort port() {
      return build().endPort();
    }

    /** The end port, where the path begins. Set it before values that are given by index. */
    public Builder endPort(EndPort value) {
      endPort = value;
      return this;
    }

    /** GID of the destination. */
    public Builder dgid(Gid value) {
      dgid = value;
      return this;
    }

    /** GID of the source. */
    public Builder sgid(Gid value) {
      sgid = value;
      return this;
    }

    /**
     * GID of the source by its index.
     *
     * @throws VerbsException EINVAL if the end port has no such index, or is not set
     */
    public Builder sgidIndex(int index) {
      return sgid(at(port().gids(), index, "GID"));
    }

    /** LID of the destination, 16 bits. */
    public Builder dlid(int value) {
      return set(PathField.DLID, value);
    }

    /**
     * LID of the destination, which is the end port, by its low LMC bits.
     *
     * @throws VerbsException EINVAL for more than the end port's LMC bits, and if there is no end
     *     port
     */
    public Builder dlidBits(int bits) {
      return dlid(ownLid("DLID", bits));
    }

    /** LID of the source, 16 bits. */
    public Builder slid(int value) {
      return set(PathField.SLID, value);
    }

    /** LID of the source, which is the end port; otherwise like {@link #dlidBits}. */
    public Builder slidBits(int bits) {
      return slid(ownLid("SLID", bits));
    }

    private int ownLid(String which, int bits) {
      EndPort port = port();
      int lmc = port.lmc();
      if (bits >>> lmc != 0) {
        throw new VerbsException(
            "ibPath",
            Errno.EINVAL,
            which + " bits " + bits + " do not fit into the " + lmc + " bits (LMC) of " + port);
      }
      return port.lid() | bits;
    }

    /** Service level, 0 to 15. */
    public Builder sl(int value) {
      return set(PathField.SL, value);
    }

    /** P_Key, 16 bits. */
    public Builder pkey(int value) {
      return set(PathField.PKEY, value);
    }

    /**
     * P_Key by its index.
     *
     * @throws VerbsException EINVAL if the end port has no such index, or is not set
     */
    public Builder pkeyIndex(int index) {
      return pkey(at(port().pkeys(), index, "P_Key"));
    }

    /** Whether packets have a global route header. */
    public Builder hasGrh(boolean value) {
      return set(PathField.HAS_GRH, value ? 1 : 0);
    }

    /** Path MTU. */
    public Builder mtu(Mtu value) {
      return set(PathField.MTU, value.number());
    }

    /** Static rate. */
    public Builder rate(Rate value) {
      return set(PathField.RATE, value.number());
    }

    /** Hop limit, 0 to 255. */
    public Builder hopLimit(int value) {
      return set(PathField.HOP_LIMIT, value);
    }

    /** Flow label, 20 bits. */
    public Builder flowLabel(int value) {
      return set(PathField.FLOW_LABEL, value);
    }

    /** Traffic class, 0 to 255. */
    public Builder trafficClass(int value) {
      return set(PathField.TRAFFIC_CLASS, value);
    }

    /**
     * How long a packet is in transit, as a timer code from 0 to 62; 63 means the end port's value.
     */
    public Builder packetLifeTime(int value) {
      return set(PathField.PACKET_LIFE_TIME, value);
    }

    /** How long an agent may take to answer a management datagram, as a timer code, 0 to 31. */
    public Builder respTime(int value) {
      return set(PathField.RESP_TIME, value);
    }

    /** How long the destination takes for an ACK, as a timer code, 0 to 31. */
    public Builder dackRespTime(int value) {
      return set(PathField.DACK_RESP_TIME, value);
    }

    /** How long the source takes for an ACK, as a timer code, 0 to 31. */
    public Builder sackRespTime(int value) {
      return set(PathField.SACK_RESP_TIME, value);
    }

    /** Queue pair number of the destination, 24 bits. */
    public Builder dqpn(int value) {
      return set(PathField.DQPN, value);
    }

    /** Queue pair number of the source, 24 bits. */
    public Builder sqpn(int value) {
      return set(PathField.SQPN, value);
    }

    /** Q_Key of datagrams, unsigned. */
    public Builder qkey(int value) {
      return set(PathField.QKEY, Integer.toUnsignedLong(value));
    }

    /** First packet sequence number that the destination sends, 24 bits. */
    public Builder dqpsn(int value) {
      return set(PathField.DQPSN, value);
    }

    /** First packet sequence number that the source sends, 24 bits. */
    public Builder sqpsn(int value) {
      return set(PathField.SQPSN, value);
    }

    /** The destination's READs and atomics that the source executes at a time, 0 to 255. */
    public Builder drdatomic(int value) {
      return set(PathField.DRDATOMIC, value);
    }

    /** READs and atomics that the source has outstanding at a time, 0 to 255. */
    public Builder srdatomic(int value) {
      return set(PathField.SRDATOMIC, value);
    }

    /** Retransmissions before an error, 0 to 7. */
    public Builder retries(int value) {
      return set(PathField.RETRIES, value);
    }

    /** As {@link IbPath#minRnrTimer()}, 0 to 31. */
    public Builder minRnrTimer(int value) {
      return set(PathField.MIN_RNR_TIMER, value);
    }

    /**
     * The ports of a directed route, of this port and then of each switch.
     *
     * @throws VerbsException EINVAL for more than 64, or a number that is not a port number
     */
    public Builder drPath(List<Integer> ports) {
      if (ports.size() > MAX_HOPS + 1 || !ports.stream().allMatch(Builder::isPort)) {
        throw new VerbsException(
            "ibPath", Errno.EINVAL, "directed route " + ports + ": up to 64 numbers, 0 to 255");
      }
      drPath = List.copyOf(ports);
      return this;
    }

    private static boolean isPort(int number) {
      return number >= 0 && number <= MAX_PORT;
    }

    /** The way there, if the way back differs; null if they are the same. */
    public Builder forwardPath(@Nullable IbPath value) {
      forward = way(value);
      return this;
    }

    /** The way back, if the way there differs; null if they are the same. */
    public Builder returnPath(@Nullable IbPath value) {
      back = way(value);
      return this;
    }

    /** Removes the end port and the nested forward and return paths: the whole path has these. */
    private static @Nullable IbPath way(@Nullable IbPath path) {
      if (path == null) {
        return null;
      }
      Builder builder = path.toBuilder();
      builder.endPort = null;
      builder.forward = null;
      builder.back = null;
      return builder.build();
    }

    private static <T> T at(List<T> table, int index, String what) {
      if (index < 0 || index >= table.size()) {
        throw new VerbsException(
            "ibPath",
            Errno.EINVAL,
            what + " index " + index + ", the table has " + table.size() + " entries from 0");
      }
      return table.get(index);
    }
  }
}
