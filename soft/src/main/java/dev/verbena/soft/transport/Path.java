package dev.verbena.soft.transport;

/** How a requester's chunks reach the peer. Used under the requester guard. */
public interface Path {
  /** PSNs that a chunk of a SEND or WRITE may stand for; 1 on a packet link. */
  int chunkPsns();

  /** PSNs that READs may have unanswered, and one READ request may ask for. At least 1. */
  int readPsns();

  /**
   * PSNs that may be unanswered, so that a healthy link loses nothing. At least 1.
   *
   * @param bytes of the request that is to be sent next: more small packets fit than large ones
   */
  int mostInFlight(long bytes);

  /** Whether a chunk can be sent now; if not, the requester is run again when it can. */
  boolean isReady();

  /**
   * Sends a chunk. On the loopback the answers arrive at the completer before this returns.
   *
   * @return false if it was not sent: the link refused it after all, or its payload's memory is not
   *     there any more, which {@link Chunk#payloadGone} then tells
   */
  boolean send(Chunk chunk);

  /** Whether it leads to responders in this process, and nobody wants to hear of chunks. */
  default boolean isDirect() {
    return false;
  }

  /**
   * If it {@link #isDirect}, lets the peer's responder take whole messages by calls.
   *
   * @param run called under the guard of that responder; never if there is none
   */
  default void direct(DirectRun run, Budget budget) {}

  /** How often the chunk that was sent last was copied: more than once only to a group. */
  default int copies() {
    return 1;
  }
}
