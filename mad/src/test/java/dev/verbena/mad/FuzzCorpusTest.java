package dev.verbena.mad;

import dev.verbena.proofs.FuzzCorpus;
import org.junit.jupiter.api.Test;

/** What Jazzer found of datagrams from strangers; bin/fuzz looks for more. */
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
