package dev.verbena.soft.sim;

import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;

/** TSO: a stream that the device cuts into messages, each with a header. */
abstract class TsoOp extends Op {
  /** Bytes of a segment; with fewer there would be too many. */
  static final int FEWEST = 50;

  private final byte[] template;
  private final int mss;
  private final Payload stream;

  /**
   * A request.
   *
   * @param template of the header
   * @param mss the most bytes of the stream in one message
   */
  TsoOp(long wrId, byte[] template, int mss, Payload stream) {
    super(WrOpcode.TSO, WcOpcode.TSO, wrId);
    this.template = template;
    this.mss = mss;
    this.stream = stream;
  }

  @Override
  final void describe(SendWr wr) {
    wr.tsoHdr(MemorySegment.ofArray(template)).mss(mss);
    stream.put(wr);
  }

  @Override
  final void describe(QueuePairEx qp) {
    qp.wrSendTso(MemorySegment.ofArray(template), mss);
    stream.put(qp);
  }

  @Override
  final int length() {
    return stream.length();
  }
}
