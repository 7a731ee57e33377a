package dev.verbena.soft.device.qp;

import dev.verbena.soft.device.object.OpenContext;
import dev.verbena.soft.engine.Engine;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.engine.qp.QpSetup;
import dev.verbena.soft.transport.QpEvents;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectEvents;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * A queue pair behind its handles. It has one handle, unless it is of type XRC_RECV and was opened
 * again (S7.3), and ends with the last. Every handle gets its asynchronous events (S7.9).
 */
final class QpInstance implements QpEvents {
  private final Engine engine;
  private final List<ObjectEvents> handles = new CopyOnWriteArrayList<>();
  private final QpRuntime runtime;
  private final QpModifier modifier;
  private final QpType type;
  private volatile int startPsn;
  private boolean ended;

  /**
   * Makes it, in RESET.
   *
   * @param setup returns its parts, given the receiver of its events
   * @throws dev.verbena.verbs.VerbsException ENOMEM if there are too many
   */
  QpInstance(OpenContext context, Function<QpEvents, QpSetup> setup) {
    context.rehearse();
    engine = context.engine();
    QpSetup made = setup.apply(this);
    runtime = engine.attach(made);
    type = made.type();
    modifier = new QpModifier(name(), type, made.cap(), runtime, context.port(), context.ether());
    startPsn = drawPsn();
  }

  private int drawPsn() {
    return engine.random().nextInt() >>> (Integer.SIZE - Iba.PSN_BITS);
  }

  /** Its running half. */
  QpRuntime runtime() {
    return runtime;
  }

  /** Transport service. */
  QpType type() {
    return type;
  }

  /** Number in messages. */
  String number() {
    return "0x" + Integer.toHexString(runtime.qpNum());
  }

  private String name() {
    return Kind.QP.text() + " " + number();
  }

  /** The PSN in endpoint data; a different one after each reset. */
  int startPsn() {
    return startPsn;
  }

  /**
   * Changes everything that {@code mask} names, or nothing.
   *
   * @param handle lifetime of the handle in use
   */
  void modify(QpAttr attr, int mask, Lifetime handle) {
    modifier.modify(attr, mask, handle);
    if ((mask & QpAttrMask.STATE) != 0 && attr.qpState() == QpState.RESET) {
      runtime.forgetCompletions();
      startPsn = drawPsn();
    }
  }

  /** All attributes. */
  QpAttr query() {
    return modifier.query();
  }

  @Override
  public void raise(EventType event) {
    for (ObjectEvents handle : handles) {
      handle.raise(event);
    }
  }

  /** Adds a handle; returns false if the last one has been destroyed meanwhile. */
  synchronized boolean add(ObjectEvents handle) {
    return !ended && handles.add(handle);
  }

  /**
   * Removes a handle.
   *
   * @return whether it was the last, so that the queue pair has ended
   */
  synchronized boolean remove(ObjectEvents handle) {
    handles.remove(handle);
    if (!handles.isEmpty()) {
      return false;
    }
    if (!ended) {
      ended = true;
      engine.detach(runtime);
    }
    return true;
  }
}
