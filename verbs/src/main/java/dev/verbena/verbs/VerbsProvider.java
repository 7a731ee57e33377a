package dev.verbena.verbs;

import java.util.List;

/**
 * A family of devices, found by {@link java.util.ServiceLoader}. Has a public constructor without
 * parameters, or a static provider method. One that cannot be loaded is a VerbsException with EIO
 * at the verb that comes upon it.
 *
 * <p>Several may be there. Those in modules are asked first, in no particular order, then those of
 * the class path in its order; the first that accepts a specification opens it. So accept only
 * names of your own.
 */
public interface VerbsProvider {
  /** The devices that can be listed without being named; cheap, opens nothing. */
  List<Device> devices();

  /**
   * Whether the name of this specification belongs to this provider, right or wrong in its details.
   */
  boolean accepts(DeviceSpec spec);

  /** The names that it accepts, for error messages: "soft0, soft:ADDRESS". */
  String describe();

  /**
   * Opens a device that {@link #accepts} took.
   *
   * @throws VerbsException with the error number and what to do about it
   */
  Context open(DeviceSpec spec);
}
