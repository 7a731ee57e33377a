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

  /** Whether a chunk can be sent now; if not, the requester runs again when it can. */
  boolean isReady();

  /**
   * Sends a chunk. On the loopback the answers arrive at the completer before this returns.
   *
   * @return false if it was not sent: the link refused it after all, or its payload's memory no
   *     longer exists, as {@link Chunk#payloadGone} then says
   */
  boolean send(Chunk chunk);

  /** Whether it leads to responders in this process, and chunks are not logged. */
  default boolean isDirect() {
    return false;
  }

  /**
   * If it {@link #isDirect}, lets the peer's responder take whole messages by calls.
   *
   * @param run called under the guard of that responder; never if there is none
   */
  default void direct(DirectRun run, Budget budget) {}

  /** How often the last chunk was copied; more than once only to a group. */
  default int copies() {
    return 1;
  }
}
