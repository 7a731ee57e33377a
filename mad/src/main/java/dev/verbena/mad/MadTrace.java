package dev.verbena.mad;

import dev.verbena.verbs.spi.MadAddress;
import java.lang.foreign.MemorySegment;

/**
 * Is shown the datagrams of a {@link MadTransactor}, which go on when its methods return. If {@link
 * #sent} throws, the datagram is not sent, and its request fails with EIO; if {@link #received}
 * does, the transactor receives no more.
 */
public interface MadTrace {
  /** Looks at nothing. */
  MadTrace NONE =
      new MadTrace() {
        @Override
        public void sent(MadAddress to, MemorySegment mad) {}

        @Override
        public void received(MadAddress from, MemorySegment mad) {}
      };

  /** A datagram is going out; it is valid during the call only. */
  void sent(MadAddress to, MemorySegment mad);

  /** A datagram has come in; it is valid during the call only. */
  void received(MadAddress from, MemorySegment mad);
}
