package dev.verbena.verbs;

/**
 * Address of a peer (struct ibv_ah_attr with its ibv_global_route). On RoCE the global route is
 * mandatory: {@code isGlobal} must be true, and dgid and sgidIndex must be set. On InfiniBand the
 * destination LID is mandatory and the global route is optional, except for multicast groups and
 * where {@link PortAttr#GRH_REQUIRED} demands one.
 *
 * @param isGlobal whether the global route is valid
 * @param dgid destination GID
 * @param sgidIndex index of the source GID in the port's table
 * @param flowLabel only the low 20 bits are used; the others are kept but have no effect
 * @param hopLimit 0 to 255; 0 means the device's default, 64, or 1 for a multicast group; 1 reaches
 *     the local link only
 * @param trafficClass IPv4 TOS or IPv6 traffic class, 0 to 255
 * @param dlid destination LID; 0 on Ethernet
 * @param sl service level, 0 to 15
 * @param srcPathBits source path bits
 * @param staticRate rate limit
 * @param portNum local port, from 1
 */
public record AhAttr(
    boolean isGlobal,
    Gid dgid,
    int sgidIndex,
    int flowLabel,
    int hopLimit,
    int trafficClass,
    int dlid,
    int sl,
    int srcPathBits,
    Rate staticRate,
    int portNum) {

  private static final int UNICAST_HOPS = 64;

  /**
   * A global route to {@code dgid}, without a LID, from the first entry of port 1's table. The hop
   * limit is 64, or 1 for a multicast group; set a higher one to leave the local link ({@link
   * #withHopLimit}).
   */
  public static AhAttr to(Gid dgid) {
    int hops = dgid.isMulticast() ? 1 : UNICAST_HOPS;
    return new AhAttr(true, dgid, 0, 0, hops, 0, 0, 0, 0, Rate.MAX, 1);
  }

  /**
   * The address of a queue pair: {@link #to(Gid)} the endpoint's GID, plus its LID on InfiniBand,
   * from index 0 of port 1's table, whatever the index of the own endpoint is ({@link
   * #withSgidIndex}). A datagram also needs its number, as {@link SendWr#remoteQpn(int)}.
   */
  public static AhAttr to(QpEndpoint remote) {
    return to(remote.gid()).withDlid(remote.lid());
  }

  /** The same with another global route. */
  private AhAttr route(Gid gid, int index, int label, int hops, int trafficClassOfRoute) {
    return new AhAttr(
        isGlobal,
        gid,
        index,
        label,
        hops,
        trafficClassOfRoute,
        dlid,
        sl,
        srcPathBits,
        staticRate,
        portNum);
  }

  /** The same on another local path. */
  private AhAttr path(int lid, int level, int pathBits, Rate rate, int port) {
    return new AhAttr(
        isGlobal,
        dgid,
        sgidIndex,
        flowLabel,
        hopLimit,
        trafficClass,
        lid,
        level,
        pathBits,
        rate,
        port);
  }

  /** The same without a global route, which RoCE refuses. */
  public AhAttr withoutGrh() {
    return new AhAttr(false, Gid.ZERO, 0, 0, 0, 0, dlid, sl, srcPathBits, staticRate, portNum);
  }

  /** The same with another destination GID. */
  public AhAttr withDgid(Gid value) {
    return route(value, sgidIndex, flowLabel, hopLimit, trafficClass);
  }

  /** The same with another source GID. */
  public AhAttr withSgidIndex(int index) {
    return route(dgid, index, flowLabel, hopLimit, trafficClass);
  }

  /** The same with another flow label; only the low 20 bits are used. */
  public AhAttr withFlowLabel(int value) {
    return route(dgid, sgidIndex, value, hopLimit, trafficClass);
  }

  /** The same with another hop limit. */
  public AhAttr withHopLimit(int limit) {
    return route(dgid, sgidIndex, flowLabel, limit, trafficClass);
  }

  /** The same with another traffic class. */
  public AhAttr withTrafficClass(int value) {
    return route(dgid, sgidIndex, flowLabel, hopLimit, value);
  }

  /** The same with another destination LID. */
  public AhAttr withDlid(int value) {
    return path(value, sl, srcPathBits, staticRate, portNum);
  }

  /** The same with another service level. */
  public AhAttr withSl(int value) {
    return path(dlid, value, srcPathBits, staticRate, portNum);
  }

  /** The same with other source path bits. */
  public AhAttr withSrcPathBits(int value) {
    return path(dlid, sl, value, staticRate, portNum);
  }

  /** The same with another rate limit. */
  public AhAttr withStaticRate(Rate value) {
    return path(dlid, sl, srcPathBits, value, portNum);
  }

  /** The same on another local port. */
  public AhAttr withPortNum(int port) {
    return path(dlid, sl, srcPathBits, staticRate, port);
  }

  @Override
  public String toString() {
    return FieldText.of("ah_attr", this);
  }
}
