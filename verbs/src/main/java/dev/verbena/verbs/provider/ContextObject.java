package dev.verbena.verbs.provider;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An object of a context: what all of these answer in the same way. */
public abstract class ContextObject {
  /** The context it belongs to, also of an object that is closed. */
  public abstract Context home();

  /** When it ends. */
  public abstract Lifetime lifetime();

  /** The object's context. */
  public final Context context() {
    lifetime().require("context");
    return home();
  }

  /** Whether the object has ended. */
  public final boolean isClosed() {
    return lifetime().isClosed();
  }

  /** Ends the object and all made from it. */
  public final void close() {
    lifetime().close();
  }

  @Override
  public String toString() {
    return lifetime().name() + (isClosed() ? " closed" : "");
  }

  /**
   * An object that the application passed in.
   *
   * @param home the context in which it is used, and {@code name} that one's name
   * @throws VerbsException EINVAL unless it is of that context; EBADF if it is closed
   */
  public static <T extends ContextObject> T own(
      Context home, String name, String function, Object object, Class<T> type) {
    if (type.isInstance(object)) {
      T own = type.cast(object);
      if (own.home().equals(home)) {
        own.lifetime().require(function);
        return own;
      }
    }
    throw new VerbsException(function, Errno.EINVAL, object + " does not belong to the " + name);
  }

  /** As {@link #own} for an object that need not be given, which is then noted as used. */
  public static <T extends ContextObject> @Nullable T ownIfGiven(
      Context home,
      String name,
      String function,
      @Nullable Object object,
      Class<T> type,
      List<Lifetime> uses) {
    if (object == null) {
      return null;
    }
    T own = own(home, name, function, object, type);
    uses.add(own.lifetime());
    return own;
  }
}
