package dev.verbena.interop.sides;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The peer's answer to a command: values by key. */
record Answer(String line, Map<String, String> values) {

  /** Parses the {@code key=value} words of an answer. */
  static Answer parse(String line, String words) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String word : words.strip().split(" +")) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      } else if (!word.isEmpty()) {
        throw new IOException("'" + word + "' of the peer's answer '" + line + "' has no value");
      }
    }
    return new Answer(line, values);
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  String text(String key) throws IOException {
    String value = values.get(key);
    if (value == null) {
      throw new IOException("the peer's answer '" + line + "' lacks " + key + "=");
    }
    return value;
  }

  /** A decimal or 0x number of up to 64 bits, unsigned. */
  long number(String key) throws IOException {
    String value = text(key);
    try {
      return value.startsWith("0x")
          ? Long.parseUnsignedLong(value, 2, value.length(), 16)
          : Long.parseUnsignedLong(value);
    } catch (NumberFormatException e) {
      throw new IOException("the peer's " + key + "=" + value + " is not a number", e);
    }
  }
}
