package dev.verbena.soft.sim;

import dev.verbena.soft.sim.frames.Frame;
import java.util.List;

/** TSO of Ethernet frames. */
final class FrameTsoOp extends TsoOp implements Framed {
  private final List<Frame> frames;

  /**
   * A request.
   *
   * @param frame with the data of the whole stream
   */
  FrameTsoOp(long wrId, Frame frame, int mss, Payload stream) {
    super(wrId, frame.template(), mss, stream);
    frames = frame.segments(mss);
  }

  @Override
  public List<Frame> frames() {
    return frames;
  }
}
