package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.sim.frames.Frame;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The frames of one queue pair. The segment loses none, and each arrives with the receives and
 * rules that there are when it is posted: {@link RawExchange} sees to that.
 */
final class FrameDelivery implements Delivery {
  private final Stage stage;
  private final Side from;
  private @Nullable RawEndpoint sender;

  FrameDelivery(Stage stage, Side from) {
    this.stage = stage;
    this.from = from;
  }

  /** Names the sender. */
  void of(RawEndpoint endpoint) {
    sender = endpoint;
  }

  @Override
  public void posted(Op op) {
    RawEndpoint by = sender;
    if (by != null && !by.hasFailed() && !op.isRefused() && op instanceof Framed framed) {
      framed.frames().forEach(frame -> carry(frame, by));
    }
  }

  private void carry(Frame frame, RawEndpoint by) {
    if (frame.dst() != from.steering().station()) {
      Side other = from == stage.left() ? stage.right() : stage.left();
      other.steering().pass(frame, false, by, endpoint -> endpoint.arrive(frame));
    }
    from.steering().pass(frame, true, by, endpoint -> endpoint.arrive(frame));
  }

  @Override
  public void succeeded(Op op, Collection<Op> later) {
    assertThat(op.outcome()).as("%s succeeded", op).isEqualTo(WcStatus.SUCCESS);
  }

  @Override
  public void doubtful(Op op) {
    // Nothing fails but what is refused, and what waits behind it.
  }

  @Override
  public void received(Place place, WorkCompletion wc) {
    throw new IllegalStateException("whose is " + wc);
  }

  @Override
  public void receiverReset() {}

  @Override
  public int awaited() {
    return 0;
  }

  @Override
  public boolean isAwaiting(Op op) {
    return false;
  }

  @Override
  public void checkAtRest() {}

  @Override
  public void checkBroken() {}

  @Override
  public void restart() {}
}
