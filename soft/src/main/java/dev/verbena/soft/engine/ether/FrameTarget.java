package dev.verbena.soft.engine.ether;

import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.wire.EthernetFrame;

/** The receiver of the frames that a rule selects. */
@FunctionalInterface
public interface FrameTarget {
  /** The queue pair that receives this frame. */
  QpRuntime of(EthernetFrame frame);
}
