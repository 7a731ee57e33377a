package dev.verbena.requirements;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;

/**
 * The lines of a source in Java or C that {@link Copies} compares, by number and shape: their text
 * with names, texts and numbers replaced.
 *
 * <p>These are the lines of functions. Not among them are declarations, such as fields, layouts and
 * the constants of an enum; accessors and fluent setters; and lines that read or write a field of a
 * struct of C. There are many of these, and no function could replace them.
 */
record CodeLines(Path file, List<Integer> numbers, List<String> shapes) {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<skip>//[^\n]*|/\\*(?s:.*?)\\*/|(?m:^)[ \t]*#(?:[^\n]*\\\\\n)*[^\n]*)"
              + "|(?<text>\"\"\"(?s:.*?)\"\"\"|\"[^\"\\\\\n]*(?:\\\\.[^\"\\\\\n]*)*\""
              + "|'[^'\\\\\n]*(?:\\\\.[^'\\\\\n]*)*')"
              + "|(?<number>\\d\\w*)|(?<word>[A-Za-z_$][\\w$]*)|\\S");

  private static final String TEXT = "text";
  private static final Pattern TYPE = Pattern.compile("\\b(class|interface|enum|record \\w)");

  private static final Pattern ACCESSOR =
      Pattern.compile("\\{ ([^;{]*\\brequire \\( [^;{]*\\) ; )?return [^;{]*; \\} ");
  private static final Pattern FLUENT_SETTER =
      Pattern.compile("\\{ ([^;{]*; ){1,2}return this ; \\} ");

  private static final Pattern IGNORED =
      Pattern.compile("@ \\w+ (\\. \\w+ )*(\\( .*\\) )?|Host \\. .*");

  /**
   * A token and its line.
   *
   * @param shape what stands for it in the shape of its line
   */
  private record Token(int line, String text, String shape) {}

  /** The tokens of a source, and the functions among them. */
  private static final class Reader {
    private final List<Token> tokens;
    private final boolean java;
    private final List<Token> counted = new ArrayList<>();

    Reader(Path file) throws IOException {
      tokens = tokens(Files.readString(file));
      java = file.toString().endsWith(".java");
    }

    /** The tokens of the functions. */
    List<Token> read() {
      int first = 0;
      int i = 0;
      while (i < tokens.size()) {
        switch (tokens.get(i).text) {
          case "(" -> i = end(i);
          case ";", "}" -> first = i + 1;
          case "{" -> {
            if (!java || !opensType(first, i)) {
              int end = end(i);
              if (isFunction(i) && !isPlain(i, end)) {
                counted.addAll(tokens.subList(first, end + 1));
              }
              i = end;
            } else if (text(first, i).contains("enum ")) {
              i = endOfConstants(i);
            }
            first = i + 1;
          }
          default -> {}
        }
        i++;
      }
      return counted;
    }

    private boolean opensType(int first, int brace) {
      // The name of a class in an annotation is none that is declared.
      return TYPE.matcher(text(first, brace).replaceAll("\\. class", "")).find();
    }

    private boolean isFunction(int brace) {
      String before = tokens.get(Math.max(0, brace - 1)).text;
      return java ? !before.equals("=") && !before.equals("]") : before.equals(")");
    }

    /** An accessor or a fluent setter, with a line for each statement. */
    private boolean isPlain(int brace, int end) {
      String body = text(brace, end + 1);
      long statements = body.chars().filter(c -> c == ';').count();
      int lines = tokens.get(end).line - tokens.get(brace).line - 1;
      return lines <= statements
          && (ACCESSOR.matcher(body).matches() || FLUENT_SETTER.matcher(body).matches());
    }

    private String text(int from, int to) {
      StringBuilder text = new StringBuilder();
      for (Token token : tokens.subList(from, to)) {
        text.append(token.shape.equals(TEXT) ? TEXT : token.text).append(' ');
      }
      return text.toString();
    }

    /** Where what is opened here is closed. */
    private int end(int open) {
      int depth = 0;
      int i = open;
      do {
        switch (tokens.get(i).text) {
          case "(", "{" -> depth++;
          case ")", "}" -> depth--;
          default -> {}
        }
        i++;
      } while (depth > 0);
      return i - 1;
    }

    private int endOfConstants(int brace) {
      int i = brace + 1;
      while (!tokens.get(i).text.matches("[;}]")) {
        i = tokens.get(i).text.matches("[({]") ? end(i) + 1 : i + 1;
      }
      return i;
    }
  }

  static CodeLines of(Path file) throws IOException {
    SortedMap<Integer, StringBuilder> lines = new TreeMap<>();
    SortedMap<Integer, StringBuilder> texts = new TreeMap<>();
    for (Token token : new Reader(file).read()) {
      lines
          .computeIfAbsent(token.line, line -> new StringBuilder())
          .append(token.shape)
          .append(' ');
      texts.computeIfAbsent(token.line, line -> new StringBuilder()).append(token.text).append(' ');
    }
    CodeLines code = new CodeLines(file, new ArrayList<>(), new ArrayList<>());
    lines.forEach(
        (line, shape) -> {
          if (!IGNORED.matcher(texts.get(line)).matches()) {
            code.numbers.add(line);
            code.shapes.add(shape.toString());
          }
        });
    return code;
  }

  private static List<Token> tokens(String text) {
    List<Token> tokens = new ArrayList<>();
    int line = 1;
    int at = 0;
    for (Matcher token = TOKEN.matcher(text); token.find(); ) {
      line += (int) text.substring(at, token.start()).chars().filter(c -> c == '\n').count();
      at = token.start();
      if (token.group("skip") == null) {
        tokens.add(new Token(line, token.group(), shape(token)));
      }
    }
    return tokens;
  }

  private static String shape(Matcher token) {
    if (token.group("text") != null) {
      return TEXT;
    } else if (token.group("number") != null) {
      return "number";
    } else if (token.group("word") != null && !SourceVersion.isKeyword(token.group())) {
      return "name";
    }
    return token.group();
  }
}
