package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.open.SoftPort;
import dev.verbena.soft.engine.ether.EtherPort;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.wire.Psn;

/** Modify and query of one queue pair (S4): all or nothing (S4.1.5). */
final class QpModifier {
  private static final String FUNCTION = "modifyQp";

  /** Everything that a query fills, as {@link QpAttr#set} takes it. */
  private static final int ALL = QpAttrMask.DEST_QPN * 2 - 1 | QpAttrMask.RATE_LIMIT;

  private final String name;
  private final QpType type;
  private final QpCap cap;
  private final QpRuntime runtime;
  private final SoftPort port;
  private final EtherPort ether;

  /** The values set so far; immutable, replaced under the guards of a change. */
  private volatile QpAttr values = new QpAttr();

  /**
   * @param name of the queue pair, in messages
   */
  QpModifier(
      String name, QpType type, QpCap cap, QpRuntime runtime, SoftPort port, EtherPort ether) {
    this.name = name;
    this.type = type;
    this.cap = cap;
    this.runtime = runtime;
    this.port = port;
    this.ether = ether;
  }

  /**
   * Changes what {@code mask} names.
   *
   * @param handle lifetime of the handle in use; may end while this waits
   * @throws VerbsException EINVAL with nothing changed
   */
  void modify(QpAttr attr, int mask, Lifetime handle) {
    // Draining ends on its own, so a queue that is drained now still is when the guards are held.
    boolean drained = runtime.status().state == QpState.SQD && runtime.isDrained();
    runtime.change(
        () -> {
          handle.require("modifyQp");
          change(attr, mask, drained);
        });
  }

  private void change(QpAttr attr, int mask, boolean drained) {
    QpState from = runtime.status().state;
    QpState to = (mask & QpAttrMask.STATE) != 0 ? attr.qpState() : from;
    checkMask(from, to, mask);
    checkBelief(from, attr, mask);
    try {
      QpAttrChecks.check(attr, mask, port);
    } catch (VerbsException e) {
      // The port's rules are those of address handles and queries, too, and know no queue pair.
      throw new VerbsException(FUNCTION, e.errno(), name + ": " + e.detail(), e);
    }
    if (from == QpState.SQD && to == QpState.RTS && !drained) {
      throw refused(
          "the send queue is still draining: wait for SQ_DRAINED, or until sq_draining is 0");
    }
    QpAttr next = new QpAttr().set(values, ALL).set(attr, mask);
    next.rqPsn(Psn.mask(next.rqPsn())).sqPsn(Psn.mask(next.sqPsn()));
    apply(next, mask);
    enter(from, to, next, mask);
    values = to == QpState.RESET ? new QpAttr() : next;
  }

  private void checkMask(QpState from, QpState to, int mask) {
    QpTransitions.Masks masks = QpTransitions.find(type, from, to);
    if (masks == null) {
      throw refused(type + " queue pairs cannot go from " + from + " to " + to);
    }
    String way = from + " to " + to + " of type " + type;
    int given = mask & ~QpAttrMask.STATE;
    int missing = masks.required() & ~given;
    if (missing != 0) {
      throw refused(way + " needs " + QpAttrMask.names(missing));
    }
    int extra = given & ~(masks.required() | masks.optional());
    if (extra != 0) {
      throw refused(way + " does not take " + QpAttrMask.names(extra));
    }
  }

  /** S4.1.3. */
  private void checkBelief(QpState from, QpAttr attr, int mask) {
    if ((mask & QpAttrMask.CUR_STATE) != 0 && attr.curQpState() != from) {
      throw refused("cur_qp_state is " + attr.curQpState() + ", the QP is in " + from);
    }
  }

  private void apply(QpAttr next, int mask) {
    QpParameters parameters = runtime.parameters();
    parameters.accessFlags(next.qpAccessFlags());
    parameters.pkey(port.pkey(FUNCTION, next.pkeyIndex()));
    parameters.destQpn(next.destQpNum());
    parameters.psns(next.rqPsn(), next.sqPsn());
    // A datagram may be as long as the port allows, because it has no path of its own.
    parameters.mtu(type == QpType.UD ? port.activeMtu() : next.pathMtu());
    parameters.qkey(next.qkey());
    parameters.timeout(next.timeout());
    parameters.retryCount(next.retryCnt());
    parameters.rnrRetry(next.rnrRetry());
    parameters.minRnrTimer(next.minRnrTimer());
    parameters.maxRdAtomic(next.maxRdAtomic());
    parameters.maxDestRdAtomic(next.maxDestRdAtomic());
    if ((mask & QpAttrMask.AV) != 0) {
      Route route = port.route(next.ahAttr());
      parameters.peer(route.destination());
      runtime.connect(route);
    }
  }

  private void enter(QpState from, QpState to, QpAttr next, int mask) {
    if (to == from && to != QpState.RESET) {
      return;
    }
    switch (to) {
      case RESET -> runtime.reset();
      case RTR -> {
        if (type == QpType.RAW_PACKET) {
          runtime.connect(ether.out(runtime));
        }
        runtime.startReceives(next.rqPsn());
      }
      case RTS -> {
        if (from == QpState.RTR) {
          runtime.startSends(next.sqPsn());
        } else if (from == QpState.SQE) {
          // A request posted in SQE may ring its doorbell after this change.
          runtime.flushSends();
        }
      }
      case SQD -> {
        boolean notify = (mask & QpAttrMask.EN_SQD_ASYNC_NOTIFY) != 0;
        runtime.drain(notify && next.enSqdAsyncNotify());
      }
      case INIT, SQE, ERR, UNKNOWN -> {
        // INIT only has attributes; in the others, actions follow the change of state.
      }
    }
    runtime.status().state(to);
    if (to == QpState.ERR) {
      runtime.flush();
    }
  }

  /** All attributes, with an empty mask. */
  QpAttr query() {
    QpState state = runtime.status().state;
    boolean draining = state == QpState.SQD && !runtime.isDrained();
    return new QpAttr()
        .set(values, ALL)
        .qpState(state)
        .curQpState(state)
        .cap(cap)
        .sqDraining(draining)
        .clear();
  }

  private VerbsException refused(String detail) {
    return new VerbsException(FUNCTION, Errno.EINVAL, name + ": " + detail);
  }
}
