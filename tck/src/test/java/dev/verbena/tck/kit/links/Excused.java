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
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips on {@link TckLink#NATIVE} the tests of lists, each with a reason, and all of them where the
 * build could not make the library. Applies to all tests, as a service.
 *
 * <p>One list has what is about software devices. The others, which -Dverbena.tck.excused=A,B
 * names, have what devices of libibverbs, or some of them, do otherwise, and what the tests say
 * then ({@link Excuse}). With -Dverbena.tck.excused.run these run nevertheless, and {@link
 * dev.verbena.tck.suite.Suite} says what fails as it should.
 */
public final class Excused implements ExecutionCondition {
  private static final String PACKAGE = "dev.verbena.tck.";

  /** What is not run elsewhere. */
  private static final List<Excuse> SOFTWARE = excuses(reasons("software.txt"));

  private static final List<Excuse> EXCUSES = excuses(reasonsOf("-excused.txt"));

  /** The entries of the lists with this end, of the devices that the property names, by reason. */
  static Map<String, String> reasonsOf(String suffix) {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (String name : System.getProperty("verbena.tck.excused", "native,dropin").split(",", -1)) {
      reasons.putAll(reasons(name + suffix));
    }
    return reasons;
  }

  /** The entries of a list, a line each, by reason: the comment above them. */
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

  static List<Excuse> excuses(Map<String, String> reasons) {
    return reasons.entrySet().stream()
        .map(entry -> Excuse.of(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** What the lists say of tests that may fail. */
  public static List<Excuse> excuses() {
    return EXCUSES;
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
    Stream<Excuse> mayFail =
        System.getProperty("verbena.tck.excused.run") == null ? EXCUSES.stream() : Stream.empty();
    return Stream.concat(SOFTWARE.stream(), mayFail)
        .filter(excuse -> excuse.isAbout(name, context.getDisplayName()))
        .findFirst()
        .map(excuse -> ConditionEvaluationResult.disabled("excused: " + excuse.reason()))
        .orElseGet(() -> ConditionEvaluationResult.enabled("it is not excused"));
  }
}
