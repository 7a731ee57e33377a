package dev.verbena.rdmacore.device;

import dev.verbena.verbs.provider.ContextObject;

/** An object of a context that is a struct of the library. */
abstract class NativeObject extends ContextObject {
  /** The context it belongs to, also of an object that is closed. */
  @Override
  public abstract NativeContext home();

  /** Its struct. */
  abstract Handle handle();
}
