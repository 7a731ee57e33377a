package dev.verbena.bench.udp;

/**
 * What {@link UdpSpeed} sends.
 *
 * @param kind the operation
 * @param bytes of each message
 * @param queuePairs that send at the same time
 * @param list messages of one post, of which the last is signaled
 * @param lists posts that a queue pair may have outstanding
 */
record Traffic(Kind kind, int bytes, int queuePairs, int list, int lists) {
  enum Kind {
    WRITE,
    READ,
    SEND
  }

  static Traffic of(String text) {
    String[] parts = text.split(",", -1);
    return new Traffic(
        Kind.valueOf(parts[0]),
        Integer.parseInt(parts[1]),
        Integer.parseInt(parts[2]),
        Integer.parseInt(parts[3]),
        Integer.parseInt(parts[4]));
  }

  /** For {@link #of}. */
  String text() {
    return kind + "," + bytes + "," + queuePairs + "," + list + "," + lists;
  }

  /** Messages that may be outstanding on one queue pair. */
  int depth() {
    return list * lists;
  }

  /** Whether messages are counted rather than bytes. */
  boolean isSmall() {
    return bytes < 4096;
  }

  @Override
  public String toString() {
    String size = bytes < 1024 ? bytes + " B" : (bytes >> 10) + " KiB";
    return kind
        + " "
        + size
        + (queuePairs > 1 ? ", " + queuePairs + " QPs" : "")
        + (list > 1 ? ", lists of " + list : "");
  }
}
