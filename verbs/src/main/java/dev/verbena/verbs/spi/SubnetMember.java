package dev.verbena.verbs.spi;

import org.jspecify.annotations.Nullable;

/** A {@link dev.verbena.verbs.Context} whose device may be in a {@link Subnet} of this process. */
public interface SubnetMember {
  /** The subnet that the device is in, or null. */
  @Nullable Subnet subnet();
}
