package dev.verbena.soft.device.mr;

import dev.verbena.soft.device.object.OpenDomain;
import dev.verbena.soft.device.object.PdObject;
import dev.verbena.soft.memory.Registration;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.provider.Kind;
import dev.verbena.verbs.provider.Lifetime;
import java.lang.foreign.MemorySegment;

/** A memory region of the software device: the attributes of its registration, and its end. */
abstract sealed class SoftRegion extends PdObject implements MemoryRegion, Lifetime.Ending
    permits SoftMemoryRegion, SoftNullRegion {
  private final Lifetime lifetime;

  /** A region in a domain, named by its key. */
  SoftRegion(OpenDomain pd, Registration registration) {
    super(pd);
    lifetime = pd.lifetime().child(Kind.MR, "0x" + Integer.toHexString(registration.lkey()), this);
  }

  /** Its entry in the key table. */
  abstract Registration registration();

  @Override
  public final Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public final MemorySegment memory() {
    return present("memory").memory();
  }

  @Override
  public final long addr() {
    return present("addr").base();
  }

  @Override
  public final long length() {
    return present("length").length();
  }

  @Override
  public final int lkey() {
    return present("lkey").lkey();
  }

  @Override
  public final int rkey() {
    return present("rkey").rkey();
  }

  @Override
  public final int access() {
    return present("access").access();
  }

  private Registration present(String function) {
    lifetime.require(function);
    return registration();
  }

  @Override
  public final void dereg() {
    lifetime.destroy();
  }
}
