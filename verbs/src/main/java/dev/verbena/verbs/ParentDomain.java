package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A protection domain with a thread domain (ibv_alloc_parent_domain). Regions, queue pairs and so
 * on of it and of the domain underneath may be used together. Their {@code pd()} is the one that
 * made them, so it can be the parent domain.
 */
public interface ParentDomain extends ProtectionDomain {
  /** The protection domain underneath. */
  ProtectionDomain pd();

  /** The thread domain, or null. */
  @Nullable ThreadDomain td();
}
