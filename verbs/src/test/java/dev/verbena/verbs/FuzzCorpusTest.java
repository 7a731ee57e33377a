package dev.verbena.verbs;

import dev.verbena.proofs.FuzzCorpus;
import dev.verbena.proofs.Proves;
import org.junit.jupiter.api.Test;

/** Replays untrusted texts and bytes that Jazzer found; bin/fuzz looks for more. */
class FuzzCorpusTest {
  @Test
  @Proves({"PY-062", "PY-063", "PY-064"})
  void textsArePathsOrEinval() {
    FuzzCorpus.replay("PathTextFuzz", PathTextFuzz::fuzzerTestOneInput);
  }

  @Test
  @Proves("PY-062")
  void bytesArePathsOrEinval() {
    FuzzCorpus.replay("PathBytesFuzz", PathBytesFuzz::fuzzerTestOneInput);
  }

  @Test
  void whatAPeerSaysIsAgreedUponOrRefused() {
    FuzzCorpus.replay("PathConnectorFuzz", PathConnectorFuzz::fuzzerTestOneInput);
  }

  @Test
  void textsAreDeviceSpecificationsOrEinval() {
    FuzzCorpus.replay("DeviceSpecFuzz", DeviceSpecFuzz::fuzzerTestOneInput);
  }

  @Test
  void bytesAreConnectionDataOrEinval() {
    FuzzCorpus.replay("ConnectionDataFuzz", ConnectionDataFuzz::fuzzerTestOneInput);
  }
}
