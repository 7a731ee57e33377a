package dev.verbena.verbs;

import java.util.List;

/**
 * A family of devices, found by {@link java.util.ServiceLoader}. It has a public constructor
 * without parameters, or a static provider method. If it cannot be loaded, the verb that looks for
 * it throws a VerbsException with EIO.
 *
 * <p>There may be several providers. Those in modules are tried first, in no particular order, then
 * those on the class path, in its order; the first one that accepts a specification opens it. So
 * accept only names of your own.
 */
public interface VerbsProvider {
  /** The devices that can be listed without being named; cheap, opens nothing. */
  List<Device> devices();

  /**
   * Whether the name in this specification belongs to this provider, whether or not its details are
   * valid.
   */
  boolean accepts(DeviceSpec spec);

  /** The names that it accepts, for error messages: "soft0, soft:ADDRESS". */
  String describe();

  /**
   * Opens a device whose specification {@link #accepts} approved.
   *
   * @throws VerbsException with the error number and what to do about it
   */
  Context open(DeviceSpec spec);

  /**
   * Prepares for forks of this process; see {@link Devices#forkInit}. Where nothing is to be done,
   * as for software devices, it does nothing.
   *
   * @throws VerbsException with the error number and what to do about it
   */
  default void forkInit() {}

  /** What becomes of memory registered with its devices; see {@link Devices#isForkInitialized}. */
  default ForkStatus isForkInitialized() {
    return ForkStatus.UNNEEDED;
  }
}
