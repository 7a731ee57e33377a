package dev.verbena.verbs.provider;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Watches for contexts that a program loses without closing them: frees what the device holds for
 * them, and logs it. A context is lost when neither it nor anything made from it is reachable.
 */
public final class LostContexts {
  /** System property for remembering where contexts are opened. */
  private static final String PROPERTY = "dev.verbena.leaks";

  /** Its value. */
  private static final String TRACE = "trace";

  private static final Logger LOG = System.getLogger(LostContexts.class.getName());
  private static final Cleaner CLEANER = Cleaner.create(LostContexts::newThread);

  /** Not named like the threads of a device. */
  private static Thread newThread(Runnable cleaning) {
    return Thread.ofPlatform().daemon().name("verbena-lost-contexts").unstarted(cleaning);
  }

  /**
   * Watches a context.
   *
   * @param context the object that the program gets
   * @param lifetime the context's
   */
  public static void watch(Object context, Lifetime lifetime) {
    String name = lifetime.name();
    Remains remains = lifetime.remains();
    Throwable opened =
        TRACE.equals(System.getProperty(PROPERTY)) ? new Throwable("it was opened here") : null;
    CLEANER.register(context, () -> end(name, remains, opened));
  }

  private static void end(String name, Remains remains, @Nullable Throwable opened) {
    List<Kind> kinds =
        remains.free(
            failure ->
                LOG.log(Level.WARNING, "a part of the lost " + name + " was not freed", failure));
    if (kinds.isEmpty()) {
      return;
    }
    String advice =
        opened != null
            ? ""
            : " -D" + PROPERTY + "=" + TRACE + " tells where contexts that get lost were opened.";
    LOG.log(
        Level.WARNING,
        "The program has lost the "
            + name
            + (kinds.size() == 1 ? "," : ", with " + counted(kinds) + ",")
            + " without closing it; it has now been closed. Close contexts, for instance with"
            + " try-with-resources."
            + advice,
        opened);
  }

  /** Such as {@code 2 QP, 1 PD}; without the context itself. */
  private static String counted(List<Kind> kinds) {
    Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    kinds.forEach(kind -> counts.merge(kind, 1, Integer::sum));
    counts.remove(Kind.CONTEXT);
    return counts.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey().text())
        .collect(Collectors.joining(", "));
  }

  private LostContexts() {}
}
