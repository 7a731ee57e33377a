package dev.verbena.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.verbena.junit.ConnectedPair;
import dev.verbena.junit.RdmaDevice;
import dev.verbena.junit.TestDevice;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The test of README.md: what a program's own tests look like on a network that loses packets. */
final class LossTest {
  @Test
  @RdmaDevice(faults = "drop:0.05")
  void allBytesArriveThoughPacketsGetLost(TestDevice device, ConnectedPair pair) {
    MemoryRegion from = pair.left().memory();
    MemoryRegion to = pair.right().memory();
    from.memory().fill((byte) 7);
    SendWr write =
        new SendWr()
            .opcode(WrOpcode.RDMA_WRITE)
            .sendFlags(SendFlags.SIGNALED)
            .sgList(from.sge())
            .rkey(to.rkey())
            .remoteAddr(to.addr());
    for (int i = 0; i < 20; i++) {
      pair.left().qp().postSend(write);
      Completions.await(pair.left().cq(), Duration.ofSeconds(10));
    }
    assertEquals(-1, from.memory().mismatch(to.memory()));
    device.assertFaultsFired();
  }
}
