package dev.verbena.soft.sim;

import dev.verbena.soft.sim.frames.Frame;
import java.util.List;

/** A request that sends Ethernet frames. */
interface Framed {
  /** The frames as they arrive. */
  List<Frame> frames();
}
