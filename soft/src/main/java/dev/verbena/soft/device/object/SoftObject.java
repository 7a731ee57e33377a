package dev.verbena.soft.device.object;

import dev.verbena.verbs.Context;
import dev.verbena.verbs.provider.ContextObject;

/** An object of a context of the software device. */
public abstract class SoftObject extends ContextObject {
  /** Its context, also of a closed object. */
  public abstract OpenContext openContext();

  @Override
  public final Context home() {
    return openContext();
  }

  /** Whether it belongs to this context. */
  public final boolean isOf(OpenContext context) {
    return openContext().equals(context);
  }
}
