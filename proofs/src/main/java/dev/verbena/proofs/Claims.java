package dev.verbena.proofs;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Collects the IDs that a test method claims to prove. */
final class Claims {

  private Claims() {}

  /**
   * Returns the IDs on the method, on the class that it runs in, on that class's superclasses, and
   * on the classes that enclose it.
   */
  static Set<String> of(Class<?> testClass, Method method) {
    Set<String> ids = new TreeSet<>();
    add(ids, method.getAnnotation(Proves.class));
    for (Class<?> outer = testClass; outer != null; outer = outer.getEnclosingClass()) {
      for (Class<?> type = outer; type != null; type = type.getSuperclass()) {
        add(ids, type.getAnnotation(Proves.class));
      }
    }
    return Collections.unmodifiableSet(ids);
  }

  private static void add(Set<String> ids, @Nullable Proves proves) {
    if (proves != null) {
      ids.addAll(Arrays.asList(proves.value()));
    }
  }
}
