package dev.verbena.verbs.connect;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpEndpoint;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.VerbsException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What one end brings into a connection (struct rdma_conn_param, and more): queue pairs, memory for
 * the other end, bytes of the application, and how long to wait.
 *
 * <p>The first queue pair of one end is connected to the first of the other, the second to the
 * second, and so on, so both ends bring as many, of services that fit.
 *
 * <p>For one thread at a time. It may be used for several connections, one after the other; what
 * changes later changes no connection.
 */
public final class ConnParam {
  /** The most queue pairs of a connection. */
  public static final int MAX_QPS = 256;

  /** The most regions that one end offers. */
  public static final int MAX_REGIONS = 1024;

  /** The most bytes of private data. */
  public static final int MAX_PRIVATE_DATA = 4096;

  /**
   * The time-out of reliable queue pairs: a peer is given up after 4.3 s of silence, which is more
   * than threads wait for a processor, and less than people wait. The end of its process is noticed
   * without that.
   */
  private static final int QP_TIMEOUT = 17;

  private static final String FUNCTION = "connParam";

  /** One of our queue pairs. */
  private record Own(QueuePair qp, QpType type, int access, int qkey) {}

  private final List<Own> qps = new ArrayList<>();
  private final List<RemoteRegion> regions = new ArrayList<>();
  private byte[] privateData = new byte[0];
  private QpAttr attr = new QpAttr();
  private int gidIndex;
  private Duration timeout = Duration.ofSeconds(10);
  private Runnable beforePeerSends = () -> {};

  /** Nothing yet: not even a queue pair is needed, to exchange bytes and keys only. */
  public ConnParam() {}

  /** One queue pair; otherwise like {@link #qp}. */
  public static ConnParam of(QueuePair qp, int... access) {
    return new ConnParam().qp(qp, access);
  }

  /**
   * Adds a queue pair that has a connection: RC, UC, XRC_SEND or XRC_RECV.
   *
   * @param qp in RESET; the set-up takes it to RTS as {@link QueuePair#connect} does
   * @param access {@link Access} bits: what the other end's queue pair may do through this one
   * @throws VerbsException EINVAL for a type without connection, or more than {@value #MAX_QPS}
   */
  public ConnParam qp(QueuePair qp, int... access) {
    switch (qp.qpType()) {
      case RC, UC, XRC_SEND, XRC_RECV -> add(new Own(qp, qp.qpType(), Access.of(access), 0));
      case UD -> throw invalid("a UD queue pair has a Q_Key: add it by ud(qp, qkey)");
      default -> throw invalid("QP type " + qp.qpType() + " reaches no other queue pair");
    }
    return this;
  }

  /**
   * Adds a queue pair for datagrams, which may serve any number of connections.
   *
   * @param qp in RESET, from where the set-up takes it to RTS, or in RTS; in RTS already if several
   *     connections are set up at once
   * @param qkey its Q_Key, which the other end is told
   * @throws VerbsException EINVAL for another type, or more than {@value #MAX_QPS} queue pairs
   */
  public ConnParam ud(QueuePair qp, int qkey) {
    if (qp.qpType() != QpType.UD) {
      throw invalid("QP type " + qp.qpType() + " has no Q_Key: add it by qp(qp, access)");
    }
    add(new Own(qp, QpType.UD, 0, qkey));
    return this;
  }

  private void add(Own own) {
    if (qps.size() == MAX_QPS) {
      throw invalid("more than " + MAX_QPS + " queue pairs");
    }
    qps.add(own);
  }

  /**
   * Offers a region: the other end is told its address, length and rkey.
   *
   * @throws VerbsException EINVAL for more than {@value #MAX_REGIONS}
   */
  public ConnParam region(MemoryRegion region) {
    if (regions.size() == MAX_REGIONS) {
      throw invalid("more than " + MAX_REGIONS + " regions");
    }
    regions.add(RemoteRegion.of(region));
    return this;
  }

  /**
   * Sets bytes for the other end's application (private_data).
   *
   * @throws VerbsException EINVAL for more than {@value #MAX_PRIVATE_DATA}
   */
  public ConnParam privateData(byte[] data) {
    if (data.length > MAX_PRIVATE_DATA) {
      throw invalid(
          data.length + " bytes of private data, the limit is %d".formatted(MAX_PRIVATE_DATA));
    }
    privateData = data.clone();
    return this;
  }

  /**
   * Sets attributes of all queue pairs with a connection that {@link QueuePair#connect(QpEndpoint,
   * QpEndpoint, QpAttr, int...)} takes instead of its defaults, such as timeout or rnr_retry.
   * Unless set, the timeout of RC and XRC_SEND is 17 (RETRY_EXC_ERR after 4.3 s): a peer without a
   * processor is silent for longer than 0.5 s, and that its process has ended is known without a
   * time-out. A packet that gets lost and whose loss only the timer notices is then repeated after
   * 0.54 s; so if their own device {@linkplain dev.verbena.verbs.Device#losesPackets loses packets}
   * on purpose, the time-out stays that of {@code connect}. For a peer on such a device, set it.
   *
   * <p>Each must be an attribute that all of these queue pairs have, or connecting them fails with
   * EINVAL: UC has no timeout, for example.
   *
   * @throws VerbsException EINVAL for a port: a connection uses port 1, and {@link
   *     QueuePair#connect(QpEndpoint, QpEndpoint, QpAttr, int...)} any
   */
  public ConnParam attr(QpAttr overrides) {
    if ((overrides.mask() & QpAttrMask.PORT) != 0) {
      throw invalid("attr sets port " + overrides.portNum() + ", but a connection uses port 1");
    }
    attr = overrides;
    return this;
  }

  /** Sets the index of this end's GID; 0 unless set. Adapters have RoCE v2 on another one. */
  public ConnParam gidIndex(int index) {
    gidIndex = index;
    return this;
  }

  /**
   * Sets how long the set-up may take; 10 seconds unless set.
   *
   * @throws VerbsException EINVAL unless it is positive
   */
  public ConnParam timeout(Duration limit) {
    timeout = positive("timeout", limit);
    return this;
  }

  /** Requires a positive limit of the time that a function takes. */
  static Duration positive(String function, Duration limit) {
    if (!limit.isPositive()) {
      throw new VerbsException(function, Errno.EINVAL, "a limit of " + limit + " leaves no time");
    }
    return limit;
  }

  /**
   * Sets what to do when the queue pairs are in RTS, and before the other end may send: post the
   * receives here.
   */
  public ConnParam beforePeerSends(Runnable postReceives) {
    beforePeerSends = postReceives;
    return this;
  }

  Duration timeout() {
    return timeout;
  }

  /** The queue pairs, which do not change if more are added here. */
  List<QueuePair> qps() {
    return qps.stream().map(Own::qp).toList();
  }

  /** This end, as the other one is told of it. */
  SetupMessage message(SetupMessage.Kind kind) {
    List<RemoteQp> own = new ArrayList<>();
    for (Own each : qps) {
      own.add(new RemoteQp(each.type, each.qp.endpoint(gidIndex), each.qkey));
    }
    return new SetupMessage(kind, own, List.copyOf(regions), privateData);
  }

  /**
   * Connects to the queue pairs of the other end.
   *
   * @throws IOException if they do not fit
   */
  void establish(List<RemoteQp> theirs) throws IOException {
    if (theirs.size() != qps.size()) {
      throw new IOException(
          "this end has brought %d queue pairs, and the other one %d"
              .formatted(qps.size(), theirs.size()));
    }
    for (int i = 0; i < qps.size(); i++) {
      if (!qps.get(i).type.fits(theirs.get(i).type())) {
        throw new IOException(
            "queue pair %d of this end is %s, which does not fit %s of the other one"
                .formatted(i, qps.get(i).type, theirs.get(i).type()));
      }
    }
    for (int i = 0; i < qps.size(); i++) {
      establish(qps.get(i), theirs.get(i).endpoint());
    }
    beforePeerSends.run();
  }

  private void establish(Own own, QpEndpoint remote) {
    if (own.type != QpType.UD) {
      own.qp.connect(own.qp.endpoint(gidIndex), remote, attr(own), own.access);
    } else if (own.qp.state() == QpState.RESET) {
      own.qp.toRts(own.qkey);
    }
  }

  private QpAttr attr(Own own) {
    boolean isReliable = own.type == QpType.RC || own.type == QpType.XRC_SEND;
    return isReliable && !own.qp.context().device().losesPackets()
        ? new QpAttr().timeout(QP_TIMEOUT).set(attr, attr.mask())
        : attr;
  }

  private static VerbsException invalid(String why) {
    return new VerbsException(FUNCTION, Errno.EINVAL, why);
  }
}
