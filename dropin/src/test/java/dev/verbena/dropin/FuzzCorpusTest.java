package dev.verbena.dropin;

import dev.verbena.proofs.FuzzCorpus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Isolated;

/** Replays lists of programs that Jazzer found; bin/fuzz looks for more. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "libibverbs is Linux's")
@Isolated("counts the objects of the process")
final class FuzzCorpusTest {
  @Test
  void listsOfSendsArePostedUpToTheFirstBadOne() {
    FuzzCorpus.replay("SendListFuzz", SendListFuzz::fuzzerTestOneInput);
  }

  @Test
  void listsOfReceivesArePostedUpToTheFirstBadOne() {
    FuzzCorpus.replay("RecvListFuzz", RecvListFuzz::fuzzerTestOneInput);
  }

  @Test
  void batchesAreCompletedOrRefused() {
    FuzzCorpus.replay("BatchFuzz", BatchFuzz::fuzzerTestOneInput);
  }

  @Test
  void objectsAreMadeAndEndWithoutRemains() {
    FuzzCorpus.replay("ObjectsFuzz", ObjectsFuzz::fuzzerTestOneInput);
  }

  @Test
  void steeringRulesAreReadOrRefused() {
    FuzzCorpus.replay("FlowAttrsFuzz", FlowAttrsFuzz::fuzzerTestOneInput);
  }
}
