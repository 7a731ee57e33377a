package dev.verbena.verbs;

/**
 * The address of a UD peer (struct ibv_ah). Must stay open until work requests that name it have
 * completed; the software device keeps the address of those that were posted, so closing it too
 * early is harmless there.
 */
public interface AddressHandle extends AutoCloseable {
  /**
   * The queue pair number to send to if the address is a multicast group's: every member gets it.
   */
  int MULTICAST_QPN = 0xff_ffff;

  /** The context. */
  Context context();

  /** The protection domain. */
  ProtectionDomain pd();

  /** The address. */
  AhAttr attr();

  /** Destroys the handle (ibv_destroy_ah). */
  void destroy();

  /** Whether the handle was closed. */
  boolean isClosed();

  /** As destroy; nothing if it is closed already. */
  @Override
  void close();
}
