package dev.verbena.soft.device.object;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.provider.Lifetime;

/** An object of a context: what all of these answer in the same way. */
public abstract class SoftObject {
  /** The context it belongs to, also of an object that is closed. */
  public abstract OpenContext openContext();

  /** Whether it belongs to this context. */
  public final boolean isOf(OpenContext context) {
    return openContext().equals(context);
  }

  /** When it ends. */
  public abstract Lifetime lifetime();

  /** The object's context. */
  public final Context context() {
    lifetime().require("context");
    return openContext();
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
    return lifetime().name();
  }
}
