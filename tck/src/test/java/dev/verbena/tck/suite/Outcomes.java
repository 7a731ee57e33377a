package dev.verbena.tck.suite;

import dev.verbena.tck.kit.links.Absent;
import dev.verbena.tck.kit.links.Excuse;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** What became of the tests, and what is said about it. */
final class Outcomes implements TestExecutionListener {
  /** Of one method: how many of its invocations passed, failed though they may, and so on. */
  private static final class Tally {
    int passed;
    int excused;
    int skipped;
    int failed;
  }

  private final PrintStream out;
  private final PrintStream err;
  private final long start = System.nanoTime();
  private final Map<String, Long> begun = new HashMap<>();
  private final Map<String, Tally> methods = new TreeMap<>();
  private final List<Excuse> excuses;

  /** The excuses that some failure has met, and those that name a test that has passed. */
  private final Set<Excuse> met = new HashSet<>();

  private final Set<Excuse> refuted = new HashSet<>();
  private int needless;

  /**
   * Begins without any.
   *
   * @param excuses which tests are to fail, and how
   */
  Outcomes(List<Excuse> excuses, PrintStream out, PrintStream err) {
    this.excuses = excuses;
    this.out = out;
    this.err = err;
  }

  /**
   * Whether there were tests, none failed that may not, and none passed that is excused.
   *
   * @param allMayBeSkipped whether it is enough that there were tests; otherwise one has passed
   */
  boolean allIsWell(boolean allMayBeSkipped) {
    Tally sum = total();
    boolean enough = allMayBeSkipped ? !methods.isEmpty() : sum.passed > 0;
    return sum.failed == 0 && needless == 0 && enough;
  }

  @Override
  public synchronized void executionStarted(TestIdentifier test) {
    begun.put(test.getUniqueId(), System.nanoTime());
    if (test.isTest()) {
      err.println(seconds() + " begins " + name(test));
    }
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    tally(test).skipped++;
    err.println("skipped " + name(test) + ": " + reason);
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest() || result.getStatus() == Status.FAILED) {
      count(test, result);
    }
    if (test.getSource().orElse(null) instanceof ClassSource) {
      reportClass(test);
    }
  }

  private void count(TestIdentifier test, TestExecutionResult result) {
    Tally tally = tally(test);
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        tally.passed++;
        excusesOf(test).forEach(refuted::add);
      }
      case ABORTED -> {
        tally.skipped++;
        err.println("skipped " + name(test) + ": " + message(result));
      }
      case FAILED -> {
        List<Excuse> all = excusesOf(test);
        List<Excuse> fitting =
            all.stream().filter(excuse -> excuse.explains(message(result))).toList();
        if (!fitting.isEmpty()) {
          tally.excused++;
          met.addAll(fitting);
          err.println(
              "excused "
                  + name(test)
                  + ": "
                  + fitting.getFirst().reason()
                  + ": "
                  + message(result));
        } else {
          tally.failed++;
          err.println("failed " + (all.isEmpty() ? "" : "otherwise than excused: ") + name(test));
          all.forEach(excuse -> err.println("  the list says " + excuse));
          result.getThrowable().ifPresent(failure -> failure.printStackTrace(err));
        }
      }
    }
  }

  private List<Excuse> excusesOf(TestIdentifier test) {
    return excuses.stream()
        .filter(excuse -> excuse.isAbout(method(test), test.getDisplayName()))
        .toList();
  }

  /** The line of a class, whose tests are over. */
  private void reportClass(TestIdentifier test) {
    String name = method(test);
    List<Excuse> unnecessary =
        excuses.stream().filter(excuse -> excuse.isOf(name) && isNeedless(excuse)).toList();
    unnecessary.forEach(
        excuse -> err.println("needless: nothing fails, or not all of it: " + excuse));
    needless += unnecessary.size();
    double seconds = (System.nanoTime() - begun.get(test.getUniqueId())) / 1e9;
    boolean well = total(name).failed == 0 && unnecessary.isEmpty();
    out.println((well ? "ok " : "FAIL ") + name + String.format(Locale.ROOT, " %.1f", seconds));
  }

  /** Whether something passes that should fail, or all has run and nothing has failed so. */
  private boolean isNeedless(Excuse excuse) {
    Tally tally = total(excuse.test());
    boolean allRan = tally.passed + tally.excused > 0 && tally.skipped + tally.failed == 0;
    boolean isUnused = allRan && !met.contains(excuse);
    return excuse.isCertain() && (isUnused || refuted.contains(excuse));
  }

  @Override
  public synchronized void testPlanExecutionFinished(TestPlan plan) {
    if (methods.isEmpty()) {
      err.println("failed: no class of the suite matches");
    }
    Tally sum = total();
    Absent.met().forEach(entry -> out.println("absent " + entry));
    out.println(
        sum.passed
            + " passed, "
            + sum.excused
            + " failed and are excused, "
            + sum.skipped
            + " skipped, "
            + sum.failed
            + " failed; "
            + needless
            + " excused without need");
  }

  private synchronized Tally total() {
    Tally sum = new Tally();
    methods.values().forEach(tally -> add(sum, tally));
    return sum;
  }

  /** The sum of a class or method. */
  private Tally total(String name) {
    Tally sum = new Tally();
    methods.forEach(
        (method, tally) -> {
          if (method.startsWith(name + "#") || method.equals(name)) {
            add(sum, tally);
          }
        });
    return sum;
  }

  private static void add(Tally sum, Tally tally) {
    sum.passed += tally.passed;
    sum.excused += tally.excused;
    sum.skipped += tally.skipped;
    sum.failed += tally.failed;
  }

  private Tally tally(TestIdentifier test) {
    return methods.computeIfAbsent(method(test), _ -> new Tally());
  }

  private String seconds() {
    return String.format(Locale.ROOT, "%.1f s:", (System.nanoTime() - start) / 1e9);
  }

  /** As in the list of excused tests: "sending.SendTest#method", or the class alone. */
  private static String method(TestIdentifier test) {
    return switch (test.getSource().orElse(null)) {
      case MethodSource method -> plain(method.getClassName()) + "#" + method.getMethodName();
      case ClassSource type -> plain(type.getClassName());
      case null, default -> test.getDisplayName();
    };
  }

  private static String plain(String type) {
    return type.substring(Suite.PACKAGE.length());
  }

  private static String name(TestIdentifier test) {
    return method(test) + " " + test.getDisplayName();
  }

  private static String message(TestExecutionResult result) {
    Optional<Throwable> failure = result.getThrowable();
    @Nullable String text = failure.map(Throwable::getMessage).orElse(null);
    return text == null
        ? failure.map(Throwable::toString).orElse("")
        : text.replaceAll("\\s+", " ");
  }
}
