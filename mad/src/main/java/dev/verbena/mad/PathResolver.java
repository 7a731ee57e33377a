package dev.verbena.mad;

import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.SaPathNotFoundException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.path.Paths;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.Format;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.PathRecord;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.ToIntFunction;

/**
 * Resolves a destination, given by its GID or LID, to the path there. On InfiniBand it queries the
 * subnet administrator; on Ethernet, where there is none, {@link Paths#resolveLocally} determines
 * the path.
 *
 * <pre>{@code
 * try (MadTransactor mad = Mads.getGmpMad(endPort)) {
 *   IbPath path = PathResolver.resolvePath(mad, IbPath.builder(endPort).dgid(dgid).build());
 *   qp.establish(Paths.fillPath(qp, path.copy(to -> to.dqpn(qpn).qkey(qkey))));
 * }
 * }</pre>
 */
public final class PathResolver {
  private static final int AGENTS_QPN = 1;

  /** No demands beyond the ends. */
  private static final Attribute NOTHING = new Attribute(PathRecord.FORMAT);

  private PathResolver() {}

  /**
   * Resolves a reversible path; see {@link #resolvePath(MadTransactor, IbPath, boolean,
   * Attribute)}.
   */
  public static IbPath resolvePath(MadTransactor mad, IbPath path) {
    return resolvePath(mad, path, true, NOTHING);
  }

  /**
   * Fills in the values that the subnet administrator knows: dgid, sgid, dlid, slid, flowLabel,
   * hopLimit, trafficClass, pkey, sl, mtu, rate and packetLifeTime; and hasGrh if there is a hop
   * limit or the destination is a multicast group. Other values of the path are unchanged.
   *
   * <p>The destination is its dgid, or else its dlid; the source is its sgid, or else its slid, or
   * else the end port's default GID. If the path's P_Key is not the default one, the query is for
   * that partition, and the path keeps its P_Key. To insist on the default partition, name it in
   * {@code properties}: otherwise any partition common to both ends will do.
   *
   * @param reversible whether the path must be usable in both directions
   * @param properties a PathRecord whose set fields are added to the query, and take precedence
   *     over the path's, such as {@code new Attribute(PathRecord.FORMAT).set(PathRecord.PKEY,
   *     Iba.DEFAULT_PKEY)}. On Ethernet only the fields that a path has there are used: both GIDs,
   *     P_Key, service level, traffic class, flow label, hop limit
   * @throws SaPathNotFoundException if there is no such path
   * @throws MadException if the subnet administrator refuses for another reason, does not respond,
   *     or violates the protocol
   * @throws VerbsException EINVAL if the path has no destination or no end port, or {@code
   *     properties} is not a PathRecord; as for {@link MadTransactor#ask}
   */
  public static IbPath resolvePath(
      MadTransactor mad, IbPath path, boolean reversible, Attribute properties) {
    if (isLocal(path, properties)) {
      return locally(path, properties);
    }
    try {
      return completed(path, mad.ask(query(path, reversible, properties)));
    } catch (MadException e) {
      throw refined(path, e);
    }
  }

  /**
   * Resolves a reversible path without waiting; see {@link #resolvePathAsync(MadTransactor, IbPath,
   * boolean, Attribute)}.
   */
  public static CompletableFuture<IbPath> resolvePathAsync(MadTransactor mad, IbPath path) {
    return resolvePathAsync(mad, path, true, NOTHING);
  }

  /**
   * Resolves a path without waiting; otherwise like {@link #resolvePath(MadTransactor, IbPath,
   * boolean, Attribute)}. The future fails with the exceptions of that method; only exceptions for
   * invalid arguments are thrown at once. Cancelling the future drops the request.
   */
  public static CompletableFuture<IbPath> resolvePathAsync(
      MadTransactor mad, IbPath path, boolean reversible, Attribute properties) {
    if (isLocal(path, properties)) {
      return CompletableFuture.completedFuture(locally(path, properties));
    }
    CompletableFuture<Attribute> answer = mad.async(query(path, reversible, properties));
    CompletableFuture<IbPath> resolved =
        answer
            .thenApply(record -> completed(path, record))
            .exceptionallyCompose(e -> CompletableFuture.failedFuture(refined(path, e)));
    CompletableFuture<IbPath> _ =
        resolved.whenComplete(
            (_, _) -> {
              if (resolved.isCancelled()) {
                answer.cancel(false);
              }
            });
    return resolved;
  }

  /**
   * The path to the agents at a destination, which answer what {@link MadCall#get} and {@link
   * MadCall#set} ask: from queue pair 1 to queue pair 1, with its Q_Key. A path that is not {@link
   * IbPath#complete() complete} is resolved first. One that has no retries gets {@value
   * Mads#SA_RETRIES}: datagrams get lost.
   *
   * <pre>{@code
   * IbPath agents = PathResolver.getMadPath(mad, IbPath.fromString("fe80::2:c903:0:1491", endPort));
   * mad.ask(MadCall.get(MgmtClass.PERFORMANCE, new Attribute(ClassPortInfo.FORMAT), 0, agents));
   * }</pre>
   *
   * @param path as for {@link #resolvePath(MadTransactor, IbPath)}
   * @throws VerbsException EINVAL for a directed route, which leads to queue pairs 0: {@link
   *     MadCall#subnGet} accepts such a path unresolved; as for resolvePath
   * @throws MadException as for resolvePath
   */
  public static IbPath getMadPath(MadTransactor mad, IbPath path) {
    if (!path.drPath().isEmpty()) {
      throw new VerbsException(
          "getMadPath", Errno.EINVAL, "a directed route reaches only queue pairs 0: " + path);
    }
    IbPath resolved = path.complete() ? path : resolvePath(mad, path);
    return resolved.copy(
        to ->
            to.dqpn(AGENTS_QPN)
                .sqpn(AGENTS_QPN)
                .qkey(Iba.DEFAULT_QP1_QKEY)
                .retries(path.retries() == 0 ? Mads.SA_RETRIES : path.retries()));
  }

  private static boolean isLocal(IbPath path, Attribute properties) {
    Format format = properties.format();
    if (format != PathRecord.FORMAT) {
      throw new VerbsException(
          "resolvePath", Errno.EINVAL, "properties are a " + format + ", not a PathRecord");
    }
    return path.endPort().linkLayer() == LinkLayer.ETHERNET;
  }

  private static IbPath locally(IbPath path, Attribute properties) {
    IbPath.Builder asked = path.toBuilder();
    long mask = properties.components();
    if ((mask & PathRecord.DGID.mask()) != 0) {
      asked.dgid(Gid.ofBytes(properties.getBytes(PathRecord.DGID)));
    }
    if ((mask & PathRecord.SGID.mask()) != 0) {
      asked.sgid(Gid.ofBytes(properties.getBytes(PathRecord.SGID)));
    }
    if ((mask & PathRecord.PKEY.mask()) != 0) {
      asked.pkey(properties.getInt(PathRecord.PKEY));
    }
    if ((mask & PathRecord.SL.mask()) != 0) {
      asked.sl(properties.getInt(PathRecord.SL));
    }
    if ((mask & PathRecord.TCLASS.mask()) != 0) {
      asked.trafficClass(properties.getInt(PathRecord.TCLASS));
    }
    if ((mask & PathRecord.FLOW_LABEL.mask()) != 0) {
      asked.flowLabel(properties.getInt(PathRecord.FLOW_LABEL));
    }
    if ((mask & PathRecord.HOP_LIMIT.mask()) != 0) {
      asked.hopLimit(properties.getInt(PathRecord.HOP_LIMIT));
    }
    return Paths.resolveLocally(asked.build());
  }

  private static MadCall<Attribute> query(IbPath path, boolean reversible, Attribute properties) {
    EndPort endPort = path.endPort();
    Attribute query = new Attribute(PathRecord.FORMAT);
    if (!path.dgid().isZero()) {
      query.set(PathRecord.DGID, path.dgid().toBytes());
    } else if (path.dlid() != 0) {
      query.set(PathRecord.DLID, path.dlid());
    } else if (!namesDestination(properties)) {
      throw new VerbsException(
          "resolvePath", Errno.EINVAL, "the path has neither a destination GID nor LID: " + path);
    }
    if (!path.sgid().isZero()) {
      query.set(PathRecord.SGID, path.sgid().toBytes());
    } else if (path.slid() != 0) {
      query.set(PathRecord.SLID, path.slid());
    } else {
      query.set(PathRecord.SGID, endPort.defaultGid().toBytes());
    }
    query.set(PathRecord.REVERSIBLE, reversible ? 1 : 0).set(PathRecord.NUMB_PATH, 1);
    if (hasPkey(path)) {
      query.set(PathRecord.PKEY, path.pkey());
    }
    for (Field field : PathRecord.FORMAT.fields()) {
      if ((properties.components() & field.mask()) != 0) {
        copy(field, properties, query);
      }
    }
    return MadCall.subnAdmGet(query);
  }

  private static boolean namesDestination(Attribute properties) {
    long ends = PathRecord.DGID.mask() | PathRecord.DLID.mask();
    return (properties.components() & ends) != 0;
  }

  private static void copy(Field field, Attribute from, Attribute to) {
    if (field.isNumber()) {
      to.set(field, from.get(field));
    } else {
      to.set(field, from.getBytes(field));
    }
  }

  /** Whether the path asks for a certain partition: every new path has the default P_Key. */
  private static boolean hasPkey(IbPath path) {
    return path.pkey() != Iba.DEFAULT_PKEY;
  }

  /**
   * The P_Key of the resolved path: its own if the partition matches, whatever the record's
   * membership.
   */
  private static int pkey(IbPath path, Attribute record) {
    int found = record.getInt(PathRecord.PKEY);
    return hasPkey(path) && Iba.samePartition(path.pkey(), found) ? path.pkey() : found;
  }

  private static IbPath completed(IbPath path, Attribute record) {
    Gid dgid = Gid.ofBytes(record.getBytes(PathRecord.DGID));
    int hops = record.getInt(PathRecord.HOP_LIMIT);
    return path.toBuilder()
        .dgid(dgid)
        .sgid(Gid.ofBytes(record.getBytes(PathRecord.SGID)))
        .dlid(record.getInt(PathRecord.DLID))
        .slid(record.getInt(PathRecord.SLID))
        .hasGrh(hops != 0 || dgid.isMulticast())
        .hopLimit(hops)
        .flowLabel(record.getInt(PathRecord.FLOW_LABEL))
        .trafficClass(record.getInt(PathRecord.TCLASS))
        .pkey(pkey(path, record))
        .sl(record.getInt(PathRecord.SL))
        .mtu(known(Mtu.values(), Mtu::number, record, PathRecord.MTU))
        .rate(known(Rate.values(), Rate::number, record, PathRecord.RATE))
        .packetLifeTime(record.getInt(PathRecord.PACKET_LIFE_TIME))
        .build();
  }

  private static <T> T known(T[] values, ToIntFunction<T> number, Attribute record, Field field) {
    for (T value : values) {
      if (number.applyAsInt(value) == record.getInt(field)) {
        return value;
      }
    }
    throw new MadException(
        MadException.Kind.PROTOCOL,
        "the subnet administrator returned a path whose %s is %d"
            .formatted(field, record.getInt(field)),
        0);
  }

  /** Gives a missing path an exception of its own. */
  private static Throwable refined(IbPath path, Throwable failure) {
    if (failure instanceof CompletionException wrapped && wrapped.getCause() != null) {
      return refined(path, wrapped.getCause());
    }
    return failure instanceof MadException refused ? refined(path, refused) : failure;
  }

  private static RdmaException refined(IbPath path, MadException refused) {
    return switch (refused.status()) {
      case MadStatus.SA_NO_RECORDS, MadStatus.SA_INVALID_GID ->
          new SaPathNotFoundException(
              "no path from " + path.endPort() + " to " + path + ": " + refused.getMessage(),
              refused.status());
      default -> refused;
    };
  }
}
