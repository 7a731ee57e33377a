package dev.verbena.soft.sim;

import dev.verbena.soft.sim.frames.Frame;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.util.List;

/** SEND of an Ethernet frame. */
final class FrameOp extends Op implements Framed {
  private final Payload payload;
  private final Frame arriving;

  /**
   * A request.
   *
   * @param payload the bytes of the frame
   * @param seals whether the device is to fill in the checksums
   */
  FrameOp(long wrId, Frame frame, Payload payload, boolean seals) {
    super(WrOpcode.SEND, WcOpcode.SEND, wrId);
    this.payload = payload;
    arriving = seals ? frame.seal() : frame;
    flags(seals ? SendFlags.IP_CSUM : 0);
  }

  @Override
  public List<Frame> frames() {
    return List.of(arriving);
  }

  @Override
  void describe(SendWr wr) {
    payload.put(wr);
  }

  @Override
  void describe(QueuePairEx qp) {
    qp.wrSend();
    payload.put(qp);
  }

  @Override
  int length() {
    return payload.length();
  }
}
