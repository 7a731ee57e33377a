package dev.verbena.rdmacore.post;

import dev.verbena.rdmacore.call.Handle;
import dev.verbena.verbs.provider.Lifetime;

/** An address handle that requests may name. */
public interface NativeAddress {
  /** Whether queue pairs of this domain may use it. */
  boolean isOf(Handle domain);

  /** Its struct, for a sender that has seen it open; see {@link SendSides#passAll}. */
  long address();

  /** When it ends. */
  Lifetime lifetime();
}
