package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/** A protection domain with a thread domain (ibv_alloc_parent_domain; S11.8). */
public interface ParentDomain extends ProtectionDomain {
  /** The protection domain underneath. */
  ProtectionDomain pd();

  /** The thread domain, or null. */
  @Nullable ThreadDomain td();
}
