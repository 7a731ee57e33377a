package dev.verbena.soft.engine.ether;

import java.lang.foreign.MemorySegment;

/** What an {@link EtherPort} is plugged into. */
interface EtherWire extends AutoCloseable {
  /** Bytes of the longest frame, VLAN tag included. */
  int maxFrame();

  /**
   * Sends a frame to all other stations.
   *
   * @param dispatch of the sender, which has parsed the frame
   * @return false if the wire takes nothing at the moment
   */
  boolean send(MemorySegment frame, int length, FrameDispatch dispatch);

  /** The rules of the port have changed: whether it has any, and asks for what is for others. */
  void listen(boolean any, boolean promiscuous);

  @Override
  void close();
}
