package dev.verbena.tck.kit.links;

import dev.verbena.proofs.Remark;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Adds the seed of the faults to the failure of a test. */
final class SeedReport implements TestExecutionExceptionHandler {

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    failure.addSuppressed(new Remark("faults of this run: -Dverbena.tck.seed=" + TckLink.SEED));
    throw failure;
  }
}
