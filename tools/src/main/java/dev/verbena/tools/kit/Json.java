package dev.verbena.tools.kit;

import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Writes JSON: maps, lists, strings, numbers, booleans and null. */
public final class Json {
  private static final int FIRST_PRINTABLE = 0x20;

  /**
   * The text of a value, on one line. Numbers that JSON cannot express, such as NaN, become null.
   */
  public static String text(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    switch (value) {
      case null -> text.append("null");
      case Map<?, ?> map -> {
        StringJoiner fields = new StringJoiner(",", "{", "}");
        map.forEach((key, each) -> fields.add(text(String.valueOf(key)) + ":" + text(each)));
        text.append(fields);
      }
      case List<?> list -> {
        StringJoiner elements = new StringJoiner(",", "[", "]");
        list.forEach(each -> elements.add(text(each)));
        text.append(elements);
      }
      case Double number when !Double.isFinite(number) -> text.append("null");
      case Number number -> text.append(number);
      case Boolean truth -> text.append(truth);
      default -> appendQuoted(text, value.toString());
    }
  }

  private static void appendQuoted(StringBuilder text, String string) {
    text.append('"');
    for (int i = 0; i < string.length(); i++) {
      char each = string.charAt(i);
      if (each == '"' || each == '\\') {
        text.append('\\').append(each);
      } else if (each < FIRST_PRINTABLE) {
        text.append("\\u%04x".formatted((int) each));
      } else {
        text.append(each);
      }
    }
    text.append('"');
  }

  private Json() {}
}
