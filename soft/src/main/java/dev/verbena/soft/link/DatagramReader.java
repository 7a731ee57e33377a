package dev.verbena.soft.link;

/** Takes what has arrived at one socket. For one thread at a time. */
interface DatagramReader {
  /** A socket error takes the place of a datagram, or of a frame: so many in a row end a read. */
  int ERRORS_IN_A_ROW = 8;

  /** Hands over at most so many datagrams; returns how many. Never blocks. */
  int read(Receiver receiver, int most, long now);

  /** Closes the socket. */
  void close();
}
