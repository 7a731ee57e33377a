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
 * Resolves paths: who names a destination by its GID or its LID gets the path to there. On
 * InfiniBand the subnet administrator is asked; on Ethernet, where there is none, {@link
 * Paths#resolveLocally} knows the path.
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

  /** As {@link #resolvePath(MadTransactor, IbPath, boolean, Attribute)} for a reversible path. */
  public static IbPath resolvePath(MadTransactor mad, IbPath path) {
    return resolvePath(mad, path, true, NOTHING);
  }

  /**
   * The path with what the subnet administrator knows of it: dgid, sgid, dlid, slid, flowLabel,
   * hopLimit, trafficClass, pkey, sl, mtu, rate and packetLifeTime; hasGrh if there is a hop limit,
   * or the destination is a multicast group. What else the path says stays.
   *
   * <p>The destination is its dgid, or else its dlid; the source is its sgid, or else its slid, or
   * else the end port's default GID. A path whose P_Key is another than the default one is asked
   * for in that partition, and keeps its P_Key. To insist on the default partition, name it in
   * {@code properties}: otherwise any will do that both ends are in.
   *
   * @param reversible whether the way back must be the same
   * @param properties a PathRecord whose fields that were set are asked for, too, and count more
   *     than those of the path; as {@code new Attribute(PathRecord.FORMAT).set(PathRecord.PKEY,
   *     Iba.DEFAULT_PKEY)}. On Ethernet those count that a path there has: both GIDs, P_Key,
   *     service level, traffic class, flow label, hop limit
   * @throws SaPathNotFoundException if there is no such path
   * @throws MadException if the subnet administrator refuses otherwise, does not answer, or answers
   *     nonsense
   * @throws VerbsException EINVAL if the path has no destination or no end port, or {@code
   *     properties} is no PathRecord; as {@link MadTransactor#ask}
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

  /** As {@link #resolvePathAsync(MadTransactor, IbPath, boolean, Attribute)}, reversible. */
  public static CompletableFuture<IbPath> resolvePathAsync(MadTransactor mad, IbPath path) {
    return resolvePathAsync(mad, path, true, NOTHING);
  }

  /**
   * As {@link #resolvePath(MadTransactor, IbPath, boolean, Attribute)} without waiting. The future
   * fails with what that throws; only what is wrong with the arguments is thrown at once.
   * Cancelling it forgets the request.
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
   * @param path as of {@link #resolvePath(MadTransactor, IbPath)}
   * @throws VerbsException EINVAL for a directed route, which leads to queue pairs 0: {@link
   *     MadCall#subnGet} takes such a path as it is; and as resolvePath
   * @throws MadException as resolvePath
   */
  public static IbPath getMadPath(MadTransactor mad, IbPath path) {
    if (!path.drPath().isEmpty()) {
      throw new VerbsException(
          "getMadPath",
          Errno.EINVAL,
          "along a directed route only queue pairs 0 are reached: " + path);
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

  /** Whether the path is for a certain partition: every new path has the default P_Key. */
  private static boolean hasPkey(IbPath path) {
    return path.pkey() != Iba.DEFAULT_PKEY;
  }

  /**
   * Of the partition asked for the path keeps its own P_Key, whichever membership the record has.
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
        "the subnet administrator answered with a path whose %s is %d"
            .formatted(field, record.getInt(field)),
        0);
  }

  /** That there is no such path has an exception of its own. */
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
