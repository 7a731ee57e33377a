package dev.verbena.interop.sides;

import dev.verbena.verbs.Gid;
import java.io.IOException;

/** The operations of a side's UD queue pair that other services lack. */
public interface Datagrams {
  /** Bytes of the area before each datagram that is received. */
  int GRH_AREA = 40;

  /** Aims the next datagrams. */
  void aim(int qpn, Gid gid) throws IOException;

  /**
   * Aims the next datagrams at the sender of the last received one, by its completion.
   *
   * @param off where it was received
   */
  void aimBack(long off) throws IOException;

  void join(Gid group) throws IOException;

  void leave(Gid group) throws IOException;
}
