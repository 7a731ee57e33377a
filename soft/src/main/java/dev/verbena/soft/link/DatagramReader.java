package dev.verbena.soft.link;

/** Takes what has arrived at one socket. For one thread at a time. */
interface DatagramReader {
  /** Hands over at most so many datagrams; returns how many. Never blocks. */
  int read(Receiver receiver, int most, long now);

  /** Closes the socket. */
  void close();
}
