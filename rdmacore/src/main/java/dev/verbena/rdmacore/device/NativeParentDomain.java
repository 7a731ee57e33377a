package dev.verbena.rdmacore.device;

import dev.verbena.rdmacore.call.Functions;
import dev.verbena.rdmacore.call.Handle;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvParentDomainInitAttr;
import dev.verbena.rdmacore.layout.VerbsContext;
import dev.verbena.verbs.ParentDomain;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.ThreadDomain;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.ObjectRules;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parent domain of libibverbs: another domain with a thread domain. */
final class NativeParentDomain extends NativeProtectionDomain implements ParentDomain {
  private static final String ALLOC = "allocParentDomain";

  private final NativeProtectionDomain below;
  private final @Nullable ThreadDomain td;

  private NativeParentDomain(
      NativeProtectionDomain below, @Nullable ThreadDomain td, long address) {
    super(below, address);
    this.below = below;
    this.td = td;
  }

  static NativeParentDomain alloc(
      NativeContext context, ProtectionDomain pd, @Nullable ThreadDomain td) {
    context.lifetime().require(ALLOC);
    NativeProtectionDomain below = context.own(ALLOC, pd, NativeProtectionDomain.class);
    ObjectRules.underParent(ALLOC, below);
    List<Lifetime> uses = new ArrayList<>();
    NativeThreadDomain threads = context.ownIfGiven(ALLOC, td, NativeThreadDomain.class, uses);
    try (Handle.Use use = context.handle().use(ALLOC);
        Handle.Use domain = below.handle().use(ALLOC);
        Handle.@Nullable Use thread = threads == null ? null : threads.handle().use(ALLOC);
        Arena arena = Arena.ofConfined()) {
      long in = arena.allocate(IbvParentDomainInitAttr.LAYOUT.size(), Long.BYTES).address();
      Host.setLong(in + IbvParentDomainInitAttr.PD, domain.address());
      Host.setLong(in + IbvParentDomainInitAttr.TD, thread == null ? 0 : thread.address());
      long address =
          context
              .operations()
              .extended("alloc_parent_domain", VerbsContext.ALLOC_PARENT_DOMAIN)
              .call(ALLOC, use.address(), in)
              .pointer(ALLOC, "a parent domain of " + below);
      return make(
          address,
          ALLOC,
          Functions.DEALLOC_PD,
          () -> new NativeParentDomain(below, threads, address),
          uses);
    }
  }

  @Override
  boolean locks() {
    return td == null;
  }

  @Override
  NativeProtectionDomain root() {
    return below;
  }

  @Override
  public ProtectionDomain pd() {
    lifetime().require("pd");
    return below;
  }

  @Override
  public @Nullable ThreadDomain td() {
    lifetime().require("td");
    return td;
  }
}
