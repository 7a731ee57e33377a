package dev.verbena.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A queue pair of the device of {@link Ports#ethernet}, which goes to RTS, and records the
 * attributes of each step.
 *
 * @param queuePair the queue pair
 * @param steps the attributes of each step
 */
record PathPeer(QueuePair queuePair, List<QpAttr> steps) {
  static final int ACK_DELAY = 15;
  static final int MAX_TARGET = 16;
  static final int MAX_INITIATOR = 4;

  static PathPeer qp(QpType type, int number) {
    return qp(type, number, MAX_TARGET, MAX_INITIATOR);
  }

  static PathPeer qp(QpType type, int number, int maxTarget, int maxInitiator) {
    DeviceAttr device =
        new DeviceAttr(
            "",
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            maxTarget,
            0,
            0,
            maxInitiator,
            0,
            AtomicCap.HCA,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            1,
            ACK_DELAY,
            1);
    Device handle = Stubs.device(Ports.ethernet().device().name());
    Context context =
        Stubs.of(Context.class, Map.of("device", args -> handle, "queryDevice", args -> device));
    List<QpAttr> steps = new ArrayList<>();
    QueuePair qp =
        Stubs.of(
            QueuePair.class,
            Map.of(
                "context", args -> context,
                "qpNum", args -> number,
                "qpType", args -> type,
                "state", args -> QpState.RESET,
                "modify", args -> steps.add((QpAttr) args[0])));
    return new PathPeer(qp, steps);
  }

  QpAttr rtr() {
    return steps.get(1);
  }

  QpAttr rts() {
    return steps.get(2);
  }
}
