package dev.verbena.dropin;

import dev.verbena.dropin.object.QpBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The shim's first entry into Java: fills its table of calls. */
final class Attach {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  /**
   * Their non-private static methods are the calls: they take at most six longs and return a long.
   */
  private static final List<Class<?>> CALLS =
      List.of(
          DeviceCalls.class,
          DomainCalls.class,
          MemoryCalls.class,
          CqCalls.class,
          EventCalls.class,
          SrqCalls.class,
          WqCalls.class,
          QpCalls.class,
          FlowCalls.class,
          PostCalls.class,
          BatchCalls.class,
          WrCalls.class);

  private static final boolean VERBOSE = Console.wants("VERBENA_VERBOSE");

  /**
   * Fills the table. Called by the shim.
   *
   * @param names address of the names, as C strings
   * @param table address of the function pointers, one for each name
   * @param count the number of names
   * @param isJavaProgram whether this JVM existed before, and makes the report when it ends
   */
  static void attach(long names, long table, int count, boolean isJavaProgram)
      throws ReflectiveOperationException {
    Map<String, MethodHandle> calls = calls();
    for (int i = 0; i < count; i++) {
      String name = Host.getString(Host.getLong(names + (long) i * Long.BYTES));
      MethodHandle call = calls.remove(name);
      if (call == null) {
        throw new NoSuchMethodException("the shim calls " + name + ", which Java does not have");
      }
      Host.setLong(table + (long) i * Long.BYTES, HostNative.function(call));
    }
    if (!calls.isEmpty()) {
      throw new NoSuchMethodException("the shim does not call " + calls.keySet());
    }
    if (isJavaProgram) {
      Runtime.getRuntime().addShutdownHook(new Thread(DeviceCalls::report, "libibverbs report"));
    }
  }

  private static Map<String, MethodHandle> calls() throws ReflectiveOperationException {
    MethodHandle call = LOOKUP.findVirtual(Entry.class, "call", HostNative.CALL.toMethodType());
    Map<String, MethodHandle> calls = new HashMap<>();
    for (Class<?> group : CALLS) {
      // Handles that initialise it at their first call would have another form.
      LOOKUP.ensureInitialized(group);
      for (Method method : group.getDeclaredMethods()) {
        if (isCall(method)) {
          Entry entry = new Entry(LOOKUP.unreflect(method), group == WrCalls.class);
          calls.put(inC(method.getName()), call.bindTo(entry));
        }
      }
    }
    LOOKUP.ensureInitialized(DirectCalls.class);
    for (Method method : DirectCalls.class.getDeclaredMethods()) {
      if (isCall(method)) {
        calls.put(inC(method.getName()), LOOKUP.unreflect(method));
      }
    }
    return calls;
  }

  /**
   * Whether a method is a call, which takes longs and returns a long; other methods are for other
   * classes.
   */
  private static boolean isCall(Method method) {
    int modifiers = method.getModifiers();
    return Modifier.isStatic(modifiers)
        && !Modifier.isPrivate(modifiers)
        && method.getReturnType() == long.class
        && Stream.of(method.getParameterTypes()).allMatch(type -> type == long.class);
  }

  /** "postSend" is post_send in C. */
  private static String inC(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /**
   * The result of a call that threw: no exception may escape into C, where it would end the
   * process. An error number cannot carry the message, so it is printed if the user asked for it.
   */
  static long failed(Throwable error) {
    if (error instanceof VerbsException refusal) {
      // Programs that list a table expect ENODATA for its empty entries.
      if (VERBOSE && refusal.errno() != Errno.ENODATA) {
        Console.say(refusal.getMessage());
      }
      return -refusal.errno();
    }
    if (error instanceof IllegalStateException) {
      // An error of the program, such as wr_complete without wr_start.
      if (VERBOSE) {
        Console.say(String.valueOf(error.getMessage()));
      }
      return -Errno.EINVAL;
    }
    // An error of ours, or no memory: always tell the user.
    Console.say(error);
    return error instanceof OutOfMemoryError ? -Errno.ENOMEM : -Errno.EIO;
  }

  /**
   * Handles the exception of a call without a result in C: the queue pair of this handle keeps the
   * error for later.
   */
  static long failedInBatch(Throwable error, long handle) {
    long answer = failed(error);
    try {
      QpBinding.get(handle).refuse((int) -answer);
    } catch (VerbsException e) {
      // wr_complete will not find the queue pair either.
      return answer;
    }
    return answer;
  }

  private Attach() {}
}
