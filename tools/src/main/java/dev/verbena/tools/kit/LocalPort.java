package dev.verbena.tools.kit;

import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.PortAttr;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.Rate;

/**
 * The device port that a tool's queue pairs use.
 *
 * @param context the device
 * @param number number of the port
 * @param gidIndex index of its own GID
 * @param serviceLevel service level of messages sent
 */
public record LocalPort(Context context, int number, int gidIndex, int serviceLevel) {
  /** Its LID, 0 on Ethernet. */
  public int lid() {
    PortAttr port = context.queryPort(number);
    if (port.linkLayer() != LinkLayer.ETHERNET && port.lid() == 0) {
      throw ToolException.failure(
          "couldn't get the local LID of port %d; is it connected?".formatted(number));
    }
    return port.lid();
  }

  /** Its GID. */
  public Gid gid() {
    Gid gid = context.queryGid(number, gidIndex);
    if (gid.isZero()) {
      throw ToolException.failure(
          "GID %d of port %d is empty; 'verbena devinfo -v' lists the non-empty ones"
              .formatted(gidIndex, number));
    }
    return gid;
  }

  /** The attributes of a queue pair's first step that are common to all services. */
  public QpAttr toInit() {
    return new QpAttr().qpState(QpState.INIT).pkeyIndex(0).portNum(number);
  }

  /** The address of a peer, with a global route if its GID has an interface ID. */
  public AhAttr route(Gid gid, int lid, int hopLimit) {
    boolean global = gid.interfaceId() != 0;
    return new AhAttr(
        global,
        global ? gid : Gid.ZERO,
        global ? gidIndex : 0,
        0,
        global ? hopLimit : 0,
        0,
        lid,
        serviceLevel,
        0,
        Rate.MAX,
        number);
  }
}
