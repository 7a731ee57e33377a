package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.call.Handle;

/** A window, or a region, that a request to bind may name. */
public interface NativeBindable {
  /** Whether queue pairs of this context may use it. */
  boolean isOf(Handle context);

  /**
   * Its struct, or 0 if it ends; whoever ends it waits for senders that have seen it ({@link
   * SendSides#passAll}).
   */
  long struct();
}
