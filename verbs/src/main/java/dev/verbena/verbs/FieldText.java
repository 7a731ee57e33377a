package dev.verbena.verbs;

import java.util.Arrays;

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
