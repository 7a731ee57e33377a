package dev.verbena.tck.suite;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import dev.verbena.tck.kit.links.Excused;
import java.util.Arrays;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests of the suite, those that are excused included, and prints a line {@code ok|FAIL CLASS
 * SECONDS} for each class, and at the end lines {@code absent ENTRY}, which name what was refused
 * as a list says ({@link dev.verbena.tck.kit.links.Absent}), and the counts. Standard error says
 * what failed or was skipped, and why. A test that is excused and passes, or fails otherwise than
 * its list says, is a failure, so that the lists stay as short as possible and hide nothing else.
 *
 * <p>Arguments are regular expressions of classes without the common package, such as {@code
 * sending\..*}; by default all. System properties say on what ({@link
 * dev.verbena.tck.kit.links.TckLink}) and who is excused ({@link
 * dev.verbena.tck.kit.links.Excused}).
 */
public final class Suite {
  /** In front of the names of all tests. */
  static final String PACKAGE = "dev.verbena.tck.";

  private static final String[] ALL = {".*Test"};

  private Suite() {}

  /** A system property: whether all tests may be skipped, as where the device has no such thing. */
  private static final String MAY_BE_SKIPPED = "verbena.tck.mayBeSkipped";

  /** Exits with 1 if a test failed, or none passed. */
  public static void main(String[] classes) {
    String[] patterns = classes.length == 0 ? ALL : classes;
    Outcomes outcomes = new Outcomes(Excused.excuses(), System.out, System.err);
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage(PACKAGE.substring(0, PACKAGE.length() - 1)))
                .filters(
                    includeClassNamePatterns(
                        Arrays.stream(patterns)
                            .map(pattern -> PACKAGE.replace(".", "\\.") + pattern)
                            .toArray(String[]::new)))
                .configurationParameter("junit.platform.output.capture.stdout", "false")
                .build(),
            outcomes);
    System.exit(outcomes.allIsWell(Boolean.getBoolean(MAY_BE_SKIPPED)) ? 0 : 1);
  }
}
