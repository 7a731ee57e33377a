package dev.verbena.soft.transport;

/** Carries a requester's chunks to the peer. Used under the requester guard. */
public interface Path {
  /** The most PSNs that a chunk of a SEND or WRITE may have; 1 in packets that cross a network. */
  int chunkPsns();

  /** PSNs that READs may have unanswered, and that one READ request may request. At least 1. */
  int readPsns();

  /**
   * PSNs that may be unanswered, so that a healthy link loses nothing. At least 1.
   *
   * @param bytes of the next request, since more small packets fit than large ones
   */
  int mostInFlight(long bytes);

  /**
   * PSNs of a long message that leave together, so that fewer cost as much; 1 if each leaves alone.
   */
  default int run() {
    return 1;
  }

  /** Whether a chunk can be sent now; if not, the requester runs again when it can. */
  boolean isReady();

  /**
   * Sends a chunk. On the loopback the answers arrive at the completer before this returns.
   *
   * @return false if it was not sent: the link refused it after all, or its payload's memory no
   *     longer exists, as {@link Chunk#payloadGone} then says
   */
  boolean send(Chunk chunk);

  /**
   * Whether messages may go without chunks: the peer's responder is in this process, or its memory
   * is mapped here, and chunks are not logged.
   */
  default boolean isDirect() {
    return false;
  }

  /** If it {@link #isDirect}: whether such messages take PSNs, because a responder counts them. */
  default boolean countsDirect() {
    return true;
  }

  /**
   * If it {@link #isDirect}, lets the peer take whole messages by calls.
   *
   * @param run called under the guard of the peer's responder, if that is in this process; never if
   *     there is no peer
   */
  default void direct(DirectRun run, Budget budget) {}

  /** Which way messages go, and why no shorter one, in words for people. */
  String words();

  /** How often the last chunk was copied; more than once only to a group. */
  default int copies() {
    return 1;
  }
}
