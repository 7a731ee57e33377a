package dev.verbena.mad;

import dev.verbena.proofs.FuzzCorpus;
import org.junit.jupiter.api.Test;

/** Replays untrusted datagrams that Jazzer found; bin/fuzz looks for more. */
class FuzzCorpusTest {
  @Test
  void whatComesInWhereRequestsWaitIsAnAnswerOrIgnored() {
    FuzzCorpus.replay("TransactorFuzz", TransactorFuzz::fuzzerTestOneInput);
  }

  @Test
  void whatAnAdministratorIsAskedIsAnsweredOrRefused() {
    FuzzCorpus.replay("AdministratorFuzz", AdministratorFuzz::fuzzerTestOneInput);
  }
}
