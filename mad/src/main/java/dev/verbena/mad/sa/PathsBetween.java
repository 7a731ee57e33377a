package dev.verbena.mad.sa;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.verbs.spi.SubnetPort;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Answers queries for paths. Two active ports that share a partition have a path for each LID of
 * the destination, from the source LID with the same path bits. All are reversible and equally
 * preferred. The path to a multicast group has the group's values.
 */
final class PathsBetween {
  private static final Selected MTU = Selected.plain(PathRecord.MTU_SELECTOR, PathRecord.MTU);
  private static final Selected RATE = Selected.rate(PathRecord.RATE_SELECTOR, PathRecord.RATE);
  private static final Selected LIFE_TIME =
      Selected.plain(PathRecord.PACKET_LIFE_TIME_SELECTOR, PathRecord.PACKET_LIFE_TIME);

  /**
   * Components that are not compared as plain values: the number of paths wanted, and whether one
   * direction is enough.
   */
  private static final long NOT_PLAIN =
      MTU.mask()
          | RATE.mask()
          | LIFE_TIME.mask()
          | PathRecord.NUMB_PATH.mask()
          | PathRecord.REVERSIBLE.mask()
          | PathRecord.PKEY.mask();

  private final Request request;
  private final Attribute query;
  private final int limit;
  private final List<Attribute> found = new ArrayList<>();

  private PathsBetween(Request request, int limit) {
    this.request = request;
    this.query = request.query();
    this.limit = limit;
  }

  /**
   * The requested paths.
   *
   * @param limit maximum number of records
   * @throws SaStatusException if there are more
   */
  static List<Attribute> find(Request request, Groups groups, int limit) throws SaStatusException {
    PathsBetween paths = new PathsBetween(request, limit);
    Gid dgid = Gid.ofBytes(request.query().getBytes(PathRecord.DGID));
    if (request.names(PathRecord.DGID) && dgid.isMulticast()) {
      paths.toGroup(groups.find(dgid));
    } else {
      paths.betweenPorts();
    }
    return paths.found;
  }

  private void betweenPorts() throws SaStatusException {
    List<SubnetPort> ports = request.subnet().ports();
    for (SubnetPort from : ports) {
      for (SubnetPort to : ports) {
        if (isAsked(from, to)) {
          between(from, to);
        }
      }
    }
  }

  /** Whether these ends can match the request, so that not all paths need be generated. */
  private boolean isAsked(SubnetPort from, SubnetPort to) {
    return from.state() == PortState.ACTIVE
        && to.state() == PortState.ACTIVE
        && (!request.names(PathRecord.SGID) || hasGid(from, PathRecord.SGID))
        && (!request.names(PathRecord.DGID) || hasGid(to, PathRecord.DGID))
        && (!request.names(PathRecord.SLID) || from.hasLid(query.getInt(PathRecord.SLID)))
        && (!request.names(PathRecord.DLID) || to.hasLid(query.getInt(PathRecord.DLID)));
  }

  private boolean hasGid(SubnetPort port, Field field) {
    return port.gids().contains(Gid.ofBytes(query.getBytes(field)));
  }

  private void between(SubnetPort from, SubnetPort to) throws SaStatusException {
    OptionalInt pkey = sharedPkey(from, to);
    if (pkey.isEmpty()) {
      return;
    }
    int wanted = request.names(PathRecord.NUMB_PATH) ? query.getInt(PathRecord.NUMB_PATH) : 127;
    int count = 0;
    for (int bits = 0; bits < 1 << to.lmc() && count < wanted; bits++) {
      int slid =
          request.names(PathRecord.SLID)
              ? query.getInt(PathRecord.SLID)
              : from.lid() + bits % (1 << from.lmc());
      for (Gid sgid : from.gids()) {
        for (Gid dgid : to.gids()) {
          Attribute path = path(from, to, pkey.getAsInt());
          path.set(PathRecord.SGID, sgid.toBytes()).set(PathRecord.DGID, dgid.toBytes());
          path.set(PathRecord.SLID, slid).set(PathRecord.DLID, to.lid() + bits);
          if (addIfAsked(path)) {
            count++;
          }
        }
      }
    }
  }

  private Attribute path(SubnetPort from, SubnetPort to, int pkey) {
    Subnet subnet = request.subnet();
    Mtu mtu = from.activeMtu().compareTo(to.activeMtu()) < 0 ? from.activeMtu() : to.activeMtu();
    Rate rate = from.rate().toMbps() < to.rate().toMbps() ? from.rate() : to.rate();
    return exact(mtu.number(), rate.number(), subnet.subnetTimeout()).set(PathRecord.PKEY, pkey);
  }

  private static Attribute exact(int mtu, int rate, int lifeTime) {
    return new Attribute(PathRecord.FORMAT)
        .set(PathRecord.REVERSIBLE, 1)
        .set(PathRecord.MTU_SELECTOR, Selector.EXACTLY)
        .set(PathRecord.MTU, mtu)
        .set(PathRecord.RATE_SELECTOR, Selector.EXACTLY)
        .set(PathRecord.RATE, rate)
        .set(PathRecord.PACKET_LIFE_TIME_SELECTOR, Selector.EXACTLY)
        .set(PathRecord.PACKET_LIFE_TIME, lifeTime);
  }

  /**
   * The source's P_Key of a partition that both share and in which at least one is a full member.
   */
  private OptionalInt sharedPkey(SubnetPort from, SubnetPort to) {
    for (int mine : from.pkeys()) {
      boolean isAsked =
          !request.names(PathRecord.PKEY) || Iba.samePartition(query.getInt(PathRecord.PKEY), mine);
      for (int theirs : to.pkeys()) {
        if (isAsked && !Iba.samePartition(mine, 0) && Iba.pkeysMatch(mine, theirs)) {
          return OptionalInt.of(mine);
        }
      }
    }
    return OptionalInt.empty();
  }

  private void toGroup(Optional<Attribute> group) throws SaStatusException {
    if (group.isEmpty()) {
      return;
    }
    Attribute is = group.get();
    for (SubnetPort from : request.subnet().ports()) {
      Attribute path =
          exact(
                  is.getInt(McMemberRecord.MTU),
                  is.getInt(McMemberRecord.RATE),
                  is.getInt(McMemberRecord.PACKET_LIFE_TIME))
              .set(PathRecord.DGID, is.getBytes(McMemberRecord.MGID))
              .set(PathRecord.DLID, is.get(McMemberRecord.MLID))
              .set(PathRecord.SLID, from.lid())
              .set(PathRecord.PKEY, is.get(McMemberRecord.PKEY))
              .set(PathRecord.SL, is.get(McMemberRecord.SL))
              .set(PathRecord.FLOW_LABEL, is.get(McMemberRecord.FLOW_LABEL))
              .set(PathRecord.TCLASS, is.get(McMemberRecord.TCLASS))
              .set(PathRecord.HOP_LIMIT, is.get(McMemberRecord.HOP_LIMIT));
      for (Gid sgid : from.gids()) {
        addIfAsked(path.copy().set(PathRecord.SGID, sgid.toBytes()));
      }
    }
  }

  private boolean addIfAsked(Attribute path) throws SaStatusException {
    boolean isAsked =
        path.matches(query, query.components() & ~NOT_PLAIN)
            && MTU.admits(query, path.getInt(PathRecord.MTU))
            && RATE.admits(query, path.getInt(PathRecord.RATE))
            && LIFE_TIME.admits(query, path.getInt(PathRecord.PACKET_LIFE_TIME));
    if (isAsked) {
      if (found.size() == limit) {
        throw new SaStatusException(MadStatus.SA_NO_RESOURCES);
      }
      found.add(path);
    }
    return isAsked;
  }
}
