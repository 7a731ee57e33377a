package dev.verbena.tck.kit.links;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.reflect.Constructor;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Skips a test, by name, if it needs what the provider over libibverbs lacks, or what the driver of
 * somebody else's device lacks. Applies to all tests, as a service.
 */
public final class Absent
    implements TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler,
        InvocationInterceptor {
  private static final String SAYS_SO = "in this release";

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    skipOrThrow(failure);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    skipOrThrow(failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    skipOrThrow(failure);
  }

  @Override
  public <T> T interceptTestClassConstructor(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Constructor<T>> invocationContext,
      ExtensionContext extensionContext)
      throws Throwable {
    try {
      return invocation.proceed();
    } catch (VerbsException failure) {
      skipOrThrow(failure);
      throw failure;
    }
  }

  private static void skipOrThrow(Throwable failure) throws Throwable {
    boolean others = TckLink.areDevicesOfOthers();
    // What is not there cannot be refused with the number that a test expects.
    Throwable why = others && failure instanceof AssertionError ? failure.getCause() : failure;
    if (why instanceof VerbsException refusal
        && refusal.errno() == Errno.EOPNOTSUPP
        && (refusal.getMessage().contains(SAYS_SO) || others)) {
      throw new TestAbortedException(refusal.getMessage(), refusal);
    }
    throw failure;
  }
}
