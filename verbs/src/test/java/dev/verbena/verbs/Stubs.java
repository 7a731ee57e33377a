package dev.verbena.verbs;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Verbs objects that answer the given calls, run the other default methods of their interface and
 * refuse everything else: enough to test the interfaces' own methods.
 */
final class Stubs {
  static <T> T of(Class<T> type) {
    return of(type, Map.of());
  }

  /**
   * @param answers what a method of this name returns, given its arguments; if one of this name is
   *     abstract, the default ones keep their own code and lead to it
   */
  static <T> T of(Class<T> type, Map<String, Function<Object[], Object>> answers) {
    InvocationHandler handler =
        (proxy, method, args) ->
            answer(proxy, method, args == null ? new Object[0] : args, answers);
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @SuppressWarnings("ReferenceEquality") // a stub equals itself only
  private static Object answer(
      Object proxy, Method method, Object[] args, Map<String, Function<Object[], Object>> answers)
      throws Throwable {
    Function<Object[], Object> answer = answers.get(method.getName());
    if (method.isDefault() && (answer == null || hasAbstractNamesake(method))) {
      return InvocationHandler.invokeDefault(proxy, method, args);
    }
    if (answer != null) {
      return answer.apply(args);
    }
    return switch (method.getName()) {
      case "toString" -> "stub";
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> proxy == args[0];
      default -> throw new AssertionError(method + " was called");
    };
  }

  private static boolean hasAbstractNamesake(Method method) {
    return Stream.of(method.getDeclaringClass().getMethods())
        .anyMatch(
            other ->
                other.getName().equals(method.getName())
                    && Modifier.isAbstract(other.getModifiers()));
  }

  /** A device that has no more than this name. */
  static Device device(String name) {
    return of(Device.class, Map.of("name", args -> name));
  }

  private Stubs() {}
}
