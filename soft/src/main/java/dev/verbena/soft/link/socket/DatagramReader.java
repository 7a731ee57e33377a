package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Receiver;

/** Takes what has arrived at one socket. For one thread at a time. */
interface DatagramReader {
  /** A socket error takes the place of a datagram, or of a frame: so many in a row end a read. */
  int ERRORS_IN_A_ROW = 8;

  /**
   * Hands over datagrams until there were so many; returns how many. What came as one is handed
   * over whole. Never blocks.
   */
  int read(Receiver receiver, int most, long now);

  /** Closes the socket. */
  void close();
}
