package dev.verbena.soft.engine;

import dev.verbena.wire.EthernetFrame;

/** Who receives what a rule steers. */
@FunctionalInterface
public interface FrameTarget {
  /** The one that receives this frame. */
  QpRuntime of(EthernetFrame frame);
}
