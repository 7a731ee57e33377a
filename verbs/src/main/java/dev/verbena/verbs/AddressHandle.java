package dev.verbena.verbs;

/**
 * The address of a UD peer (struct ibv_ah). Must stay open until work requests that name it have
 * completed; the software device copies the address when a request is posted, so closing it early
 * is harmless there.
 */
public interface AddressHandle extends AutoCloseable {
  /**
   * The queue pair number to send to when the address is a multicast group: every member receives
   * the message.
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

  /** Destroys the handle; does nothing if it is already closed. */
  @Override
  void close();
}
