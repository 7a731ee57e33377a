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
    List<Integer> pkeys) {

  /** Takes copies of the tables. */
  public PortSnapshot {
    gids = List.copyOf(gids);
    pkeys = List.copyOf(pkeys);
  }

  /** Reads a port of an open device. */
  static PortSnapshot of(Context context, int portNum) {
    PortAttr port = context.queryPort(portNum);
    List<Gid> gids = new ArrayList<>(Collections.nCopies(port.gidTblLen(), Gid.ZERO));
    for (GidEntry entry : context.queryGidTable()) {
      if (entry.portNum() == portNum) {
        gids.set(entry.gidIndex(), entry.gid());
      }
    }
    List<Integer> pkeys = new ArrayList<>();
    for (int index = 0; index < port.pkeyTblLen(); index++) {
      pkeys.add(context.queryPkey(portNum, index));
    }
    return of(port, gids, pkeys);
  }

  /** The same with what a newer query of the port says. */
  PortSnapshot with(PortAttr port) {
    return of(port, gids, pkeys);
  }

  private static PortSnapshot of(PortAttr port, List<Gid> gids, List<Integer> pkeys) {
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
        pkeys);
  }
}
