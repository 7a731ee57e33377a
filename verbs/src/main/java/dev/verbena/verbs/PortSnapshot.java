package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What was known of a port at one moment.
 *
 * @param state logical state
 * @param physState physical state, as {@link PortAttr#physState()}
 * @param linkLayer link layer
 * @param lid the port's first LID; 0 on Ethernet
 * @param lmc how many low bits of a LID are the path's: the port has 2^lmc LIDs
 * @param smLid LID of the subnet manager; 0 if there is none
 * @param smSl service level to reach it
 * @param capMask {@link PortCap}
 * @param subnetTimeout propagation time of the subnet, as a timer code; 0 if nobody told
 * @param mtu largest usable path MTU
 * @param rate what the port carries
 * @param gids the GID table by index, {@link Gid#ZERO} for empty entries
 * @param gidTypes the kinds of these GIDs, as many; of an empty entry it means nothing
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
   * @throws VerbsException EINVAL unless there are as many kinds as GIDs
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

  /** The same with what a newer query of the port says. */
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
   * Where a GID is in the table. On Ethernet one address can be there as RoCE v1 and as v2: then it
   * is the entry of v2, which crosses routers.
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
