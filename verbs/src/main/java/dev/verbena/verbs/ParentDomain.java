package dev.verbena.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A protection domain with a thread domain (ibv_alloc_parent_domain). Regions, queue pairs and
 * other objects of the parent domain and of the underlying domain may be used together. Their
 * {@code pd()} returns the domain that created them, which can be the parent domain.
 */
public interface ParentDomain extends ProtectionDomain {
  /** The underlying protection domain. */
  ProtectionDomain pd();

  /** The thread domain, or null. */
  @Nullable ThreadDomain td();
}
