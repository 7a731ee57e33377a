package dev.verbena.mad;

import dev.verbena.verbs.spi.MadAddress;
import java.lang.foreign.MemorySegment;

/**
 * Sees the datagrams of a {@link MadTransactor}, which continue when its methods return. If {@link
 * #sent} throws, the datagram is not sent, and its request fails with EIO; if {@link #received}
 * throws, the transactor stops receiving.
 */
public interface MadTrace {
  /** Ignores all datagrams. */
  MadTrace NONE =
      new MadTrace() {
        @Override
        public void sent(MadAddress to, MemorySegment mad) {}

        @Override
        public void received(MadAddress from, MemorySegment mad) {}
      };

  /** Called for a datagram about to be sent, which is valid during the call only. */
  void sent(MadAddress to, MemorySegment mad);

  /** Called for a received datagram, which is valid during the call only. */
  void received(MadAddress from, MemorySegment mad);
}
