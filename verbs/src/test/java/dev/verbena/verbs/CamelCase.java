package dev.verbena.verbs;

import java.util.Locale;

/** Converts names of libibverbs and python-rdma to Java names. */
final class CamelCase {
  /** {@code maxRdAtomic} of {@code max_rd_atomic}. */
  static String of(String name) {
    StringBuilder camel = new StringBuilder();
    for (String word : name.split("_")) {
      camel.append(camel.isEmpty() ? word : capital(word));
    }
    return camel.toString();
  }

  /** {@code QpAttr} of {@code qp_attr}. */
  static String ofType(String name) {
    return capital(of(name));
  }

  private static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  private CamelCase() {}
}
