package dev.verbena.tck.kit.links;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips on {@link TckLink#NATIVE} the tests of lists, each with a reason, and all of them where the
 * build could not make the library. Applies to all tests, as a service.
 *
 * <p>One list has what is about software devices. The others, which -Dverbena.tck.excused=A,B
 * names, have what devices of libibverbs, or some of them, do otherwise. With
 * -Dverbena.tck.excused.run these run nevertheless, and {@link dev.verbena.tck.suite.Suite} says
 * what fails as it should.
 */
public final class Excused implements ExecutionCondition {
  private static final String PACKAGE = "dev.verbena.tck.";

  /** Begins a reason for which a test fails on some runs only. */
  private static final String BY_CHANCE = "by chance: ";

  /** What is not run elsewhere. */
  private static final Map<String, String> SOFTWARE = reasons("software.txt");

  private static final Map<String, String> REASONS = reasonsOf("-excused.txt");

  /** The entries of the lists with this end, of the devices that the property names, by reason. */
  static Map<String, String> reasonsOf(String suffix) {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String name : System.getProperty("verbena.tck.excused", "native,dropin").split(",", -1)) {
      reasons.putAll(reasons(name + suffix));
    }
    return reasons;
  }

  /**
   * The entries of a list, such as tests, as "sending.RdmaFlushTest#method", "memory.CutFileTest"
   * or "processes.*", by reason.
   */
  static Map<String, String> reasons(String list) {
    Map<String, String> reasons = new LinkedHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(Excused.class.getResourceAsStream(list), list),
                StandardCharsets.UTF_8))) {
      String reason = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("#")) {
          reason = line.substring(1).trim();
        } else if (!line.isBlank()) {
          reasons.put(line.trim(), reason);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reasons;
  }

  /** Why a test, as "sending.RdmaFlushTest#method", may fail, or null. */
  public static @Nullable String reason(String test) {
    return find(REASONS, test);
  }

  /** Whether a test that may fail for this reason must fail, in each run. */
  public static boolean isCertain(String reason) {
    return !reason.startsWith(BY_CHANCE);
  }

  private static @Nullable String find(Map<String, String> reasons, String test) {
    String type = test.substring(0, (test + "#").indexOf('#'));
    for (String name : List.of(test, type, type.substring(0, type.lastIndexOf('.')) + ".*")) {
      String reason = reasons.get(name);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (!TckLink.selected().equals(List.of(TckLink.NATIVE)) || context.getTestClass().isEmpty()) {
      return ConditionEvaluationResult.enabled("it is not about libibverbs");
    }
    String library = System.getProperty("dev.verbena.rdmacore.library");
    if (library != null && !Files.exists(Path.of(library))) {
      return ConditionEvaluationResult.disabled("the build has not made " + library);
    }
    String type = context.getRequiredTestClass().getName().substring(PACKAGE.length());
    String name = context.getTestMethod().map(method -> type + "#" + method.getName()).orElse(type);
    String reason = find(SOFTWARE, name);
    if (reason == null && System.getProperty("verbena.tck.excused.run") == null) {
      reason = reason(name);
    }
    return reason == null
        ? ConditionEvaluationResult.enabled("it is not excused")
        : ConditionEvaluationResult.disabled("excused: " + reason);
  }
}
