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
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips on {@link TckLink#NATIVE} the tests of a list, each with a reason, and all of them where
 * the build could not make the library. Applies to all tests, as a service.
 */
public final class Excused implements ExecutionCondition {
  private static final String PACKAGE = "dev.verbena.tck.";
  private static final String LIST = "native-excused.txt";
  private static final Map<String, String> REASONS = reasons();

  /**
   * The tests of the list, as "sending.RdmaFlushTest#method" or "memory.CutFileTest", by reason.
   */
  static Map<String, String> reasons() {
    Map<String, String> reasons = new LinkedHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(Excused.class.getResourceAsStream(LIST)),
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

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (!TckLink.selected().equals(List.of(TckLink.NATIVE)) || context.getTestClass().isEmpty()) {
      return ConditionEvaluationResult.enabled("it is not about libibverbs");
    }
    Path library = Path.of(System.getProperty("dev.verbena.rdmacore.library", ""));
    if (!Files.exists(library)) {
      return ConditionEvaluationResult.disabled("the build has not made " + library);
    }
    String name = context.getRequiredTestClass().getName().substring(PACKAGE.length());
    String reason =
        context
            .getTestMethod()
            .map(method -> REASONS.get(name + "#" + method.getName()))
            .orElse(REASONS.get(name));
    return reason == null
        ? ConditionEvaluationResult.enabled("it is not excused")
        : ConditionEvaluationResult.disabled("excused: " + reason);
  }
}
