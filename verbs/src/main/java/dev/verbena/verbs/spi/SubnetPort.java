package dev.verbena.verbs.spi;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.Rate;
import java.util.List;

/**
 * A port of a {@link Subnet}, as it was when queried.
 *
 * @param nodeGuid GUID of its node
 * @param portGuid its own GUID, the lower half of its GID
 * @param systemImageGuid GUID of the system to which the node belongs
 * @param nodeDescription human-readable name of the node
 * @param portNum its number at the node, from 1
 * @param state logical state
 * @param lid its lowest LID
 * @param lmc it has the 2^lmc LIDs starting with {@code lid}
 * @param gids its GID table, without empty entries
 * @param pkeys its P_Key table; 0 is an empty entry
 * @param maxMtu largest MTU of the port
 * @param activeMtu largest usable path MTU
 * @param rate its rate
 * @param portCapFlags {@link dev.verbena.verbs.PortCap}
 */
public record SubnetPort(
    long nodeGuid,
    long portGuid,
    long systemImageGuid,
    String nodeDescription,
    int portNum,
    PortState state,
    int lid,
    int lmc,
    List<Gid> gids,
    List<Integer> pkeys,
    Mtu maxMtu,
    Mtu activeMtu,
    Rate rate,
    int portCapFlags) {
  /** Keeps copies of the tables. */
  public SubnetPort {
    gids = List.copyOf(gids);
    pkeys = List.copyOf(pkeys);
  }

  /** Whether this LID, path bits included, is the port's. */
  public boolean hasLid(int other) {
    return lid != 0 && other >>> lmc == lid >>> lmc;
  }
}
