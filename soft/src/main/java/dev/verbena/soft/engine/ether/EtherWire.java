package dev.verbena.soft.engine.ether;

import java.lang.foreign.MemorySegment;

/** The network that an {@link EtherPort} is connected to. */
interface EtherWire extends AutoCloseable {
  /** Bytes of the longest frame, VLAN tag included. */
  int maxFrame();

  /**
   * Sends a frame to all other stations.
   *
   * @param dispatch the sender's, which has parsed the frame
   * @return false if the wire currently takes nothing
   */
  boolean send(MemorySegment frame, int length, FrameDispatch dispatch);

  /**
   * The rules of the port have changed: whether it has any, and whether it wants frames for others.
   */
  void listen(boolean any, boolean promiscuous);

  @Override
  void close();
}
