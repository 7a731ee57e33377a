package dev.verbena.wire;

import dev.verbena.proofs.FuzzCorpus;
import dev.verbena.proofs.Proves;
import org.junit.jupiter.api.Test;

/** Replays untrusted bytes that Jazzer found; bin/fuzz looks for more. */
class FuzzCorpusTest {
  @Test
  @Proves("S12.10")
  void bytesArePacketsOrMalformed() {
    FuzzCorpus.replay("PacketFuzz", PacketFuzz::fuzzerTestOneInput);
  }

  @Test
  void bytesAreFramesOrNot() {
    FuzzCorpus.replay("FrameFuzz", FrameFuzz::fuzzerTestOneInput);
  }

  @Test
  void bytesAreCapturesOrRefused() {
    FuzzCorpus.replay("CaptureFuzz", CaptureFuzz::fuzzerTestOneInput);
  }
}
