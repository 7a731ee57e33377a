package dev.verbena.tools.compare;

import dev.verbena.tools.kit.ToolException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers in what programs print. */
final class Printed {
  /** The number after the first word. */
  static double number(String line) {
    return Double.parseDouble(after(line, " "));
  }

  /** What follows the first of this in a line. */
  static String after(String line, String what) {
    return line.substring(line.indexOf(what) + what.length()).strip();
  }

  /** A number of a JSON object, by its name, which occurs once. */
  static double field(List<String> lines, String name) {
    return optional(lines, name)
        .orElseThrow(() -> ToolException.failure("no field " + name + " in " + lines));
  }

  /** The same; empty if there is no such field. */
  static OptionalDouble optional(List<String> lines, String name) {
    return first(lines, "\"" + name + "\"\\s*:\\s*([-+.0-9Ee]+)");
  }

  /** A number after a word and an equal sign. */
  static double assigned(List<String> lines, String name) {
    return first(lines, "\\b" + name + "\\s*=\\s*([.0-9]+)")
        .orElseThrow(() -> ToolException.failure("no " + name + " in " + lines));
  }

  private static OptionalDouble first(List<String> lines, String form) {
    Pattern pattern = Pattern.compile(form);
    for (String line : lines) {
      Matcher matcher = pattern.matcher(line);
      if (matcher.find()) {
        return OptionalDouble.of(Double.parseDouble(matcher.group(1)));
      }
    }
    return OptionalDouble.empty();
  }

  /** The columns of the only line that begins with two whole numbers. */
  static double[] result(List<String> lines) {
    for (String line : lines) {
      if (line.matches(" +\\d+ +\\d+ +[\\d.]+ .*")) {
        return columns(line);
      }
    }
    throw ToolException.failure("no line with a result in " + lines);
  }

  /** The numbers of a line, with NaN for other words. */
  static double[] columns(String line) {
    String[] words = line.strip().split("\\s+", -1);
    double[] numbers = new double[words.length];
    for (int i = 0; i < words.length; i++) {
      numbers[i] = words[i].matches("[-+]?[0-9.]+") ? Double.parseDouble(words[i]) : Double.NaN;
    }
    return numbers;
  }

  private Printed() {}
}
