package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The state of a port at one moment.
 *
 * @param state logical state
 * @param physState physical state, as {@link PortAttr#physState()}
 * @param linkLayer link layer
 * @param lid the port's first LID; 0 on Ethernet
 * @param lmc how many low bits of a LID are path bits: the port has 2^lmc LIDs
 * @param smLid LID of the subnet manager; 0 if there is none
 * @param smSl service level to reach it
 * @param capMask {@link PortCap}
 * @param subnetTimeout propagation time of the subnet, as a timer code; 0 if unknown
 * @param mtu largest usable path MTU
 * @param rate the rate of the port
 * @param gids the GID table by index, {@link Gid#ZERO} for empty entries
 * @param gidTypes the types of these GIDs, one for each; meaningless for an empty entry
 * @param pkeys the P_Key table by index, 16 bits each
 */
public record PortSnapshot(
    PortState state,
    int physState,
    LinkLayer linkLayer,
    int lid,
    int lmc,
    int smLid,
    int smSl,
    int capMask,
    int subnetTimeout,
    Mtu mtu,
    Rate rate,
    List<Gid> gids,
    List<GidType> gidTypes,
    List<Integer> pkeys) {

  /**
   * Takes copies of the tables.
   *
   * @throws VerbsException EINVAL unless there are as many types as GIDs
   */
  public PortSnapshot {
    if (gidTypes.size() != gids.size()) {
      throw new VerbsException(
          "portSnapshot",
          Errno.EINVAL,
          gids.size() + " GIDs have " + gidTypes.size() + " kinds; each has one");
    }
    gids = List.copyOf(gids);
    gidTypes = List.copyOf(gidTypes);
    pkeys = List.copyOf(pkeys);
  }

  /** Reads a port of an open device. */
  static PortSnapshot of(Context context, int portNum) {
    PortAttr port = context.queryPort(portNum);
    List<Gid> gids = new ArrayList<>(Collections.nCopies(port.gidTblLen(), Gid.ZERO));
    List<GidType> gidTypes = new ArrayList<>(Collections.nCopies(gids.size(), GidType.IB));
    for (GidEntry entry : context.queryGidTable()) {
      if (entry.portNum() == portNum) {
        gids.set(entry.gidIndex(), entry.gid());
        gidTypes.set(entry.gidIndex(), entry.gidType());
      }
    }
    List<Integer> pkeys = new ArrayList<>();
    for (int index = 0; index < port.pkeyTblLen(); index++) {
      pkeys.add(context.queryPkey(portNum, index));
    }
    return of(port, gids, gidTypes, pkeys);
  }

  /** This snapshot with the values of a newer query of the port. */
  PortSnapshot with(PortAttr port) {
    return of(port, gids, gidTypes, pkeys);
  }

  private static PortSnapshot of(
      PortAttr port, List<Gid> gids, List<GidType> gidTypes, List<Integer> pkeys) {
    return new PortSnapshot(
        port.state(),
        port.physState(),
        port.linkLayer(),
        port.lid(),
        port.lmc(),
        port.smLid(),
        port.smSl(),
        port.portCapFlags(),
        port.subnetTimeout(),
        port.activeMtu(),
        Rate.ofSpeed(port.speed()),
        gids,
        gidTypes,
        pkeys);
  }

  /**
   * Finds a GID in the table. On Ethernet an address can be listed for RoCE v1 and v2: then this is
   * the v2 entry, which crosses routers.
   *
   * @return the index, or -1
   */
  int gidIndex(Gid gid) {
    int found = -1;
    for (int index = 0; index < gids.size(); index++) {
      if (gids.get(index).equals(gid)) {
        if (gidTypes.get(index) == GidType.ROCE_V2) {
          return index;
        }
        found = found < 0 ? index : found;
      }
    }
    return found;
  }
}
