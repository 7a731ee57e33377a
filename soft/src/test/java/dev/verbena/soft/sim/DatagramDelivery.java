package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/**
 * The datagrams of one queue pair. Each arrives whole or not at all, at the destination that it
 * names, and in the order of sending unless the network changes it.
 */
final class DatagramDelivery implements Delivery {
  private final boolean inOrder;
  private final boolean once;
  private final List<DatagramOp> sent = new ArrayList<>();

  DatagramDelivery(FaultSpec faults) {
    inOrder = faults.reorder() == 0 && faults.delay() == 0 && faults.duplicate() == 0;
    once = faults.duplicate() == 0;
  }

  @Override
  public void posted(Op op) {
    if (!op.isRefused()) {
      if (op instanceof DatagramTsoOp tso) {
        sent.addAll(tso.segments());
      } else {
        sent.add((DatagramOp) op);
      }
    }
  }

  @Override
  public void succeeded(Op op, Collection<Op> later) {
    assertThat(op.outcome()).as("%s succeeded", op).isEqualTo(WcStatus.SUCCESS);
  }

  @Override
  public void doubtful(Op op) {
    // A datagram without a successful completion was not sent, but some of many may have been.
    sent.removeIf(op::equals);
  }

  /** A receive of a destination has completed with a message of this sender. */
  Op received(UdEndpoint destination, Place place, WorkCompletion wc) {
    for (Iterator<DatagramOp> all = sent.iterator(); all.hasNext(); ) {
      DatagramOp op = all.next();
      if (!op.destination().equals(destination)) {
        continue;
      }
      boolean fits = op.mismatch(place, wc) == null;
      if (fits ? once : inOrder) {
        all.remove();
      }
      if (fits) {
        assertThat(op.isRestUntouched(place)).as("rest of the receive of %s", op).isTrue();
        return op;
      }
    }
    throw new AssertionError("no datagram that was sent, or not in this order, fits " + wc);
  }

  @Override
  public void received(Place place, WorkCompletion wc) {
    throw new IllegalStateException("whose is " + wc);
  }

  @Override
  public void receiverReset() {
    // Whether a message arrived is never known.
  }

  @Override
  public int awaited() {
    return sent.size();
  }

  @Override
  public boolean isAwaiting(Op op) {
    return sent.stream().anyMatch(op::equals);
  }

  @Override
  public void checkAtRest() {}

  @Override
  public void checkBroken() {}

  @Override
  public void restart() {}
}
