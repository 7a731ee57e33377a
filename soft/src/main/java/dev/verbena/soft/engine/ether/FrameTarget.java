package dev.verbena.soft.engine.ether;

import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.wire.EthernetFrame;

/** Who receives what a rule steers. */
@FunctionalInterface
public interface FrameTarget {
  /** The one that receives this frame. */
  QpRuntime of(EthernetFrame frame);
}
