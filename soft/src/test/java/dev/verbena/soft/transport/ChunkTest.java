package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.wire.Address;
import dev.verbena.wire.Operation;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ChunkTest {
  private final Chunk chunk = new Chunk();

  @Test
  void aChunkSaysInOneLineWhatItIs() {
    chunk.begin(Operation.SEND, false, true, 12, 1);
    chunk.bth(Address.ofIpv4(0x0a000002), 0x11, 0xffff, false, true);
    chunk.payload.add(MemorySegment.ofArray(new byte[5]), 0, 5);
    assertThat(chunk).hasToString("SEND_LAST psn 12 ack qpn 0x11, 5 bytes, from 10.0.0.2");
  }

  @Test
  void aChunkOfSeveralPacketsSaysWhichPsnsItStandsFor() {
    chunk.begin(Operation.WRITE, true, true, 0xfffffe, 4);
    chunk.bth(new Address(0xfe80L << 48, 2), 0x11, 0xffff, false, false);
    assertThat(chunk).hasToString("WRITE_ONLY psn 16777214 x4 qpn 0x11, 0 bytes, from fe80::2");
  }
}
