package dev.verbena.verbs;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes {@code name[field=value, ...]}, listing the fields that are set. */
final class FieldText {
  private final StringBuilder text;
  private String separator = "";

  /**
   * @param name the name of the structure in C
   */
  FieldText(String name) {
    text = new StringBuilder(name).append('[');
  }

  /**
   * The text of a record that is a structure of C, whose fields have the names of the components
   * there.
   *
   * @param name the name of the structure in C
   * @param hexadecimal the components that are no quantities, such as numbers and bits
   */
  static String of(String name, Record value, String... hexadecimal) {
    FieldText text = new FieldText(name);
    for (RecordComponent each : value.getClass().getRecordComponents()) {
      String field = each.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      boolean hex = List.of(hexadecimal).contains(each.getName());
      text.add(field, shown(component(each, value), hex));
    }
    return text.toString();
  }

  private static @Nullable Object component(RecordComponent each, Record value) {
    try {
      return each.getAccessor().invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(each + " of a public record cannot be read", e);
    }
  }

  private static String shown(@Nullable Object value, boolean hex) {
    return switch (value) {
      case Integer number when hex -> "0x" + Integer.toHexString(number);
      case Long number when hex -> "0x" + Long.toHexString(number);
      case null, default -> String.valueOf(value);
    };
  }

  /** Adds a word without a field name. */
  FieldText word(Object word) {
    text.append(separator).append(word);
    separator = ", ";
    return this;
  }

  /** Adds a field. */
  FieldText add(String name, Object value) {
    return word(name + "=" + value);
  }

  /** Adds a field if a condition holds. */
  FieldText addIf(boolean condition, String name, Object value) {
    return condition ? add(name, value) : this;
  }

  /** Adds a number unless it is 0. */
  FieldText number(String name, long value) {
    return addIf(value != 0, name, value);
  }

  /** Adds a number in hexadecimal unless it is 0. */
  FieldText hex(String name, long value) {
    return addIf(value != 0, name, "0x" + Long.toHexString(value));
  }

  /** As {@link #hex(String, long)} for 32 bits. */
  FieldText hex(String name, int value) {
    return hex(name, Integer.toUnsignedLong(value));
  }

  /** Adds the scatter/gather elements of a work request, of which the first so many are used. */
  FieldText elements(int numSge, Sge[] list) {
    int used = Math.clamp(numSge, 0, list.length);
    return add("num_sge", numSge).addIf(used > 0, "sg_list", Arrays.asList(list).subList(0, used));
  }

  @Override
  public String toString() {
    return text + "]";
  }
}
