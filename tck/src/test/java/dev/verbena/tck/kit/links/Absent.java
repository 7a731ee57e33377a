package dev.verbena.tck.kit.links;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Skips a test on {@link TckLink#NATIVE} if it needs what lists say to be absent, each with a
 * reason: what the provider over libibverbs lacks, or what the driver of a device lacks. Any other
 * refusal with EOPNOTSUPP is a failure. Applies to all tests, as a service. The lists are of the
 * same devices as those of {@link Excused}.
 */
public final class Absent
    implements TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler,
        InvocationInterceptor {
  private static final Map<String, String> REASONS = Excused.reasonsOf("-absent.txt");

  private static final Set<String> MET = ConcurrentHashMap.newKeySet();

  /** The entries of the lists that refusals of this run have met. */
  public static Set<String> met() {
    return new TreeSet<>(MET);
  }

  /**
   * The entries that say that what was refused is absent: "VERB", or "VERB: WORDS, WORDS", all of
   * which the message must have, as whole words.
   */
  static List<String> entries(Set<String> list, VerbsException refusal) {
    return refusal.errno() == Errno.EOPNOTSUPP
        ? list.stream().filter(entry -> isAbout(entry, refusal)).toList()
        : List.of();
  }

  private static boolean isAbout(String entry, VerbsException refusal) {
    String[] parts = entry.split(": ", 2);
    return parts[0].equals(refusal.function())
        && (parts.length == 1
            || Arrays.stream(parts[1].split(", ", -1))
                .allMatch(words -> WholeWords.areIn(refusal.getMessage(), words)));
  }

  /** Whether what was refused is absent, and may be. */
  public static boolean isListed(VerbsException refusal) {
    if (TckLink.plain() != TckLink.NATIVE) {
      return false;
    }
    List<String> entries = entries(REASONS.keySet(), refusal);
    MET.addAll(entries);
    return !entries.isEmpty();
  }

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
    if (why instanceof VerbsException refusal && isListed(refusal)) {
      throw new TestAbortedException(refusal.getMessage(), refusal);
    }
    throw failure;
  }
}
