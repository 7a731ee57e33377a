package dev.verbena.tck.kit.links;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Skips a test, by name, if the provider over libibverbs lacks what it is about. Applies to all
 * tests, as a service.
 */
public final class Absent implements TestExecutionExceptionHandler {
  private static final String SAYS_SO = "in this release";

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    if (failure instanceof VerbsException refusal
        && refusal.errno() == Errno.EOPNOTSUPP
        && refusal.getMessage().contains(SAYS_SO)) {
      throw new TestAbortedException(refusal.getMessage(), refusal);
    }
    throw failure;
  }
}
