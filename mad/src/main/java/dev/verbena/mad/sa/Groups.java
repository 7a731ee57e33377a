package dev.verbena.mad.sa;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.verbs.spi.SubnetPort;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.Selector;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The multicast groups of a subnet. The first full member creates a group, which exists until its
 * last full member leaves. A port can join and leave only for itself. Queries without a PortGID are
 * for groups, and return no members; queries with one are for that member.
 */
final class Groups {
  /** Maximum number of groups; there are LIDs for more. */
  static final int LIMIT = 4096;

  /** Prefix of GIDs assigned to requesters that name none: 0xff1s:a01b, where s is the scope. */
  private static final long OWN_PREFIX = 0xff10_a01b_0000_0000L;

  private static final int LINK_LOCAL = 2;
  private static final int SCOPE_SHIFT = 48;

  private static final Selected MTU =
      Selected.plain(McMemberRecord.MTU_SELECTOR, McMemberRecord.MTU);
  private static final Selected RATE =
      Selected.rate(McMemberRecord.RATE_SELECTOR, McMemberRecord.RATE);
  private static final Selected LIFE_TIME =
      Selected.plain(McMemberRecord.PACKET_LIFE_TIME_SELECTOR, McMemberRecord.PACKET_LIFE_TIME);

  /** The values of the group that a joining port may give; they must match. */
  private static final List<Field> TERMS =
      List.of(
          McMemberRecord.QKEY,
          McMemberRecord.MLID,
          McMemberRecord.TCLASS,
          McMemberRecord.SL,
          McMemberRecord.FLOW_LABEL,
          McMemberRecord.HOP_LIMIT,
          McMemberRecord.SCOPE);

  private final Map<Gid, Group> groups = new LinkedHashMap<>();

  /** LIDs in use, relative to the first multicast LID. */
  private final BitSet mlids = new BitSet();

  private long nextOwn = 1;

  /** A group: its record, and the join states of its members by port GUID. */
  private record Group(Attribute record, Map<Long, Integer> members) {
    Attribute member(SubnetPort port) {
      return record
          .copy()
          .set(McMemberRecord.PORT_GID, gid(port).toBytes())
          .set(McMemberRecord.JOIN_STATE, members.getOrDefault(port.portGuid(), 0));
    }

    boolean hasFullMember() {
      return members.values().stream().anyMatch(state -> (state & McMemberRecord.FULL_MEMBER) != 0);
    }
  }

  private static Gid gid(SubnetPort port) {
    return port.gids().getFirst();
  }

  /** The record of a group, without members. */
  Optional<Attribute> find(Gid mgid) {
    return Optional.ofNullable(groups.get(mgid)).map(Group::record);
  }

  /** The requested records. */
  List<Attribute> find(Request request) {
    List<Attribute> found = new ArrayList<>();
    for (Group group : groups.values()) {
      if (request.names(McMemberRecord.PORT_GID)) {
        for (SubnetPort port : request.subnet().ports()) {
          if (group.members().containsKey(port.portGuid())) {
            addIfAsked(found, group.member(port), request);
          }
        }
      } else {
        addIfAsked(found, group.record(), request);
      }
    }
    return found;
  }

  private static void addIfAsked(List<Attribute> found, Attribute record, Request request) {
    Attribute query = request.query();
    long plain = query.components() & ~(MTU.mask() | RATE.mask() | LIFE_TIME.mask());
    if (record.matches(query, plain) && agreesInSize(record, query)) {
      found.add(record);
    }
  }

  private static boolean agreesInSize(Attribute record, Attribute query) {
    return MTU.admits(query, record.getInt(McMemberRecord.MTU))
        && RATE.admits(query, record.getInt(McMemberRecord.RATE))
        && LIFE_TIME.admits(query, record.getInt(McMemberRecord.PACKET_LIFE_TIME));
  }

  /**
   * Joins a port to a group, which is created if it does not exist.
   *
   * @return the member's record
   * @throws SaStatusException if it cannot join
   */
  Attribute join(Request request) throws SaStatusException {
    request.require(McMemberRecord.PORT_GID, McMemberRecord.JOIN_STATE);
    Attribute query = request.query();
    SubnetPort port = request.sender(memberGuid(query));
    int state = query.getInt(McMemberRecord.JOIN_STATE);
    if (state == 0) {
      throw new SaStatusException(MadStatus.SA_REQ_INVALID);
    }
    Gid mgid = Gid.ofBytes(query.getBytes(McMemberRecord.MGID));
    Group known = groups.get(mgid);
    Group group = known != null ? known : create(request, port, mgid);
    requireTerms(group.record(), query);
    requirePkey(port, group.record().getInt(McMemberRecord.PKEY));
    Gid joined = Gid.ofBytes(group.record().getBytes(McMemberRecord.MGID));
    if ((state & (McMemberRecord.FULL_MEMBER | McMemberRecord.NON_MEMBER)) != 0) {
      deliver(request.subnet(), port, joined, group.record().getInt(McMemberRecord.MLID));
    }
    groups.put(joined, group);
    mlids.set(group.record().getInt(McMemberRecord.MLID) - Iba.LID_MULTICAST);
    group.members().merge(port.portGuid(), state, (old, added) -> old | added);
    return group.member(port);
  }

  private static void deliver(Subnet subnet, SubnetPort port, Gid mgid, int mlid)
      throws SaStatusException {
    try {
      subnet.join(port.portGuid(), mgid, mlid);
    } catch (VerbsException e) {
      // The port left meanwhile, or is in too many groups.
      throw new SaStatusException(MadStatus.SA_NO_RESOURCES);
    }
  }

  private Group create(Request request, SubnetPort port, Gid asked) throws SaStatusException {
    Attribute query = request.query();
    boolean isFull = (query.getInt(McMemberRecord.JOIN_STATE) & McMemberRecord.FULL_MEMBER) != 0;
    if (!isFull || (!asked.isZero() && !asked.isMulticast())) {
      throw new SaStatusException(MadStatus.SA_REQ_INVALID);
    }
    request.require(
        McMemberRecord.QKEY,
        McMemberRecord.PKEY,
        McMemberRecord.SL,
        McMemberRecord.FLOW_LABEL,
        McMemberRecord.TCLASS);
    if (groups.size() >= LIMIT) {
      throw new SaStatusException(MadStatus.SA_NO_RESOURCES);
    }
    int scope =
        request.names(McMemberRecord.SCOPE) ? query.getInt(McMemberRecord.SCOPE) : LINK_LOCAL;
    Gid mgid = asked.isZero() ? ownGid(scope) : asked;
    Mtu mtu = port.activeMtu();
    Attribute record =
        new Attribute(McMemberRecord.FORMAT)
            .set(McMemberRecord.MGID, mgid.toBytes())
            .set(McMemberRecord.MLID, Iba.LID_MULTICAST + mlids.nextClearBit(0))
            .set(McMemberRecord.QKEY, query.get(McMemberRecord.QKEY))
            .set(McMemberRecord.PKEY, query.get(McMemberRecord.PKEY))
            .set(McMemberRecord.SL, query.get(McMemberRecord.SL))
            .set(McMemberRecord.FLOW_LABEL, query.get(McMemberRecord.FLOW_LABEL))
            .set(McMemberRecord.TCLASS, query.get(McMemberRecord.TCLASS))
            .set(McMemberRecord.HOP_LIMIT, query.get(McMemberRecord.HOP_LIMIT))
            .set(McMemberRecord.SCOPE, mgid.subnetPrefix() >>> SCOPE_SHIFT & 0xf)
            .set(McMemberRecord.MTU_SELECTOR, Selector.EXACTLY)
            .set(McMemberRecord.MTU, sized(query, MTU, mtu.number()))
            .set(McMemberRecord.RATE_SELECTOR, Selector.EXACTLY)
            .set(McMemberRecord.RATE, sized(query, RATE, port.rate().number()))
            .set(McMemberRecord.PACKET_LIFE_TIME_SELECTOR, Selector.EXACTLY)
            .set(
                McMemberRecord.PACKET_LIFE_TIME, lifeTime(query, request.subnet().subnetTimeout()));
    return new Group(record, new HashMap<>());
  }

  /**
   * The exact value in the query, of which the port must be capable, or else the port's own value.
   */
  private static int sized(Attribute query, Selected component, int own) throws SaStatusException {
    boolean exactly =
        (query.components() & component.mask()) == component.mask()
            && query.getInt(component.selector()) == Selector.EXACTLY;
    if (!exactly) {
      return own;
    }
    int asked = query.getInt(component.value());
    int size = component.size().applyAsInt(asked);
    if (size <= 0 || size > component.size().applyAsInt(own)) {
      throw new SaStatusException(MadStatus.SA_REQ_INVALID);
    }
    return asked;
  }

  private static int lifeTime(Attribute query, int own) {
    boolean isNamed = (query.components() & McMemberRecord.PACKET_LIFE_TIME.mask()) != 0;
    return isNamed ? Math.max(own, query.getInt(McMemberRecord.PACKET_LIFE_TIME)) : own;
  }

  private Gid ownGid(int scope) {
    Gid mgid;
    do {
      mgid = new Gid(OWN_PREFIX | (long) scope << SCOPE_SHIFT, nextOwn++);
    } while (groups.containsKey(mgid));
    return mgid;
  }

  private static void requireTerms(Attribute group, Attribute query) throws SaStatusException {
    for (Field term : TERMS) {
      if (!group.matches(query, query.components() & term.mask())) {
        throw new SaStatusException(MadStatus.SA_REQ_INVALID);
      }
    }
    boolean namesPkey = (query.components() & McMemberRecord.PKEY.mask()) != 0;
    if ((namesPkey && !isOfPartition(group, query)) || !agreesInSize(group, query)) {
      throw new SaStatusException(MadStatus.SA_REQ_INVALID);
    }
  }

  private static boolean isOfPartition(Attribute group, Attribute query) {
    return Iba.samePartition(group.getInt(McMemberRecord.PKEY), query.getInt(McMemberRecord.PKEY));
  }

  private static void requirePkey(SubnetPort port, int pkey) throws SaStatusException {
    if (port.pkeys().stream().noneMatch(own -> Iba.samePartition(own, pkey))) {
      throw new SaStatusException(MadStatus.SA_REQ_INVALID);
    }
  }

  /**
   * Removes join states of a port.
   *
   * @return its record, with the join states removed
   * @throws SaStatusException if it is not such a member
   */
  Attribute leave(Request request) throws SaStatusException {
    request.require(McMemberRecord.MGID, McMemberRecord.PORT_GID, McMemberRecord.JOIN_STATE);
    Attribute query = request.query();
    SubnetPort port = request.sender(memberGuid(query));
    Gid mgid = Gid.ofBytes(query.getBytes(McMemberRecord.MGID));
    int leaving = query.getInt(McMemberRecord.JOIN_STATE);
    Group group = groups.get(mgid);
    int state = group == null ? 0 : group.members().getOrDefault(port.portGuid(), 0);
    if (group == null || leaving == 0 || (state & leaving) != leaving) {
      throw new SaStatusException(MadStatus.SA_REQ_INVALID);
    }
    Attribute left = group.member(port).set(McMemberRecord.JOIN_STATE, leaving);
    setState(request.subnet(), mgid, group, port.portGuid(), state & ~leaving);
    return left;
  }

  private void setState(Subnet subnet, Gid mgid, Group group, long portGuid, int state) {
    if (state == 0) {
      group.members().remove(portGuid);
    } else {
      group.members().put(portGuid, state);
    }
    if ((state & (McMemberRecord.FULL_MEMBER | McMemberRecord.NON_MEMBER)) == 0) {
      subnet.leave(portGuid, mgid);
    }
    if (!group.hasFullMember()) {
      group.members().keySet().forEach(member -> subnet.leave(member, mgid));
      groups.remove(mgid);
      mlids.clear(group.record().getInt(McMemberRecord.MLID) - Iba.LID_MULTICAST);
    }
  }

  /** Removes a port that has left the subnet. */
  void portLeft(Subnet subnet, long portGuid) {
    for (Map.Entry<Gid, Group> entry : List.copyOf(groups.entrySet())) {
      if (entry.getValue().members().containsKey(portGuid)) {
        setState(subnet, entry.getKey(), entry.getValue(), portGuid, 0);
      }
    }
  }

  private static long memberGuid(Attribute query) {
    return Gid.ofBytes(query.getBytes(McMemberRecord.PORT_GID)).interfaceId();
  }
}
