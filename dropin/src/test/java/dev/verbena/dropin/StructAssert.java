package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.StructLayout;
import dev.verbena.verbs.Numbered;
import java.util.Set;

/**
 * Compares a struct with its Java value: for instance the field max_qp_wr with the method maxQpWr.
 */
final class StructAssert {
  /** Numbers that are big-endian in memory. */
  private static final Set<String> NETWORK = Set.of("node_guid", "sys_image_guid");

  /** Asserts that all fields are the same, except those named. */
  static void assertSame(StructLayout layout, long struct, Object java, String... except) {
    Set<String> others = Set.of(except);
    for (StructLayout.Field field : layout.fields()) {
      if (!others.contains(field.path())) {
        Object wanted = value(java, accessor(field.path()));
        assertThat(inMemory(field, struct, wanted))
            .as(layout.type() + "." + field.path())
            .isEqualTo(wanted instanceof String ? wanted : number(wanted, field.size()));
      }
    }
  }

  private static Object inMemory(StructLayout.Field field, long struct, Object wanted) {
    long address = struct + field.offset();
    if (wanted instanceof String) {
      return Host.getString(address);
    }
    return switch ((int) field.size()) {
      case 1 -> (long) Host.getByte(address);
      case 2 -> (long) Host.getShort(address);
      case 4 -> Integer.toUnsignedLong(Host.getInt(address));
      case 8 ->
          NETWORK.contains(field.path()) ? Host.getNetworkLong(address) : Host.getLong(address);
      default -> throw new IllegalArgumentException("no number: " + field);
    };
  }

  private static long number(Object value, long bytes) {
    long number =
        switch (value) {
          case Boolean flag -> flag ? 1 : 0;
          case Numbered constant -> constant.number();
          case Number any -> any.longValue();
          default -> throw new IllegalArgumentException("no number: " + value);
        };
    return bytes == Long.BYTES ? number : number & ((1L << (bytes * Byte.SIZE)) - 1);
  }

  private static Object value(Object java, String accessor) {
    try {
      return java.getClass().getMethod(accessor).invoke(java);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(accessor, e);
    }
  }

  private static String accessor(String path) {
    StringBuilder name = new StringBuilder();
    for (String word : path.split("_")) {
      name.append(
          name.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
    }
    return name.toString();
  }

  private StructAssert() {}
}
