package dev.verbena.soft.link.socket;

import dev.verbena.soft.link.Receiver;

/** Reads one socket. For one thread at a time. */
interface DatagramReader {
  /**
   * A socket error takes the place of a datagram or a frame; this number of errors in a row ends a
   * read.
   */
  int ERRORS_IN_A_ROW = 8;

  /**
   * Passes datagrams to the receiver until this number is reached; returns the number passed. A run
   * that came as one is passed whole. Never blocks.
   */
  int read(Receiver receiver, int most, long now);

  /** Closes the socket. */
  void close();
}
