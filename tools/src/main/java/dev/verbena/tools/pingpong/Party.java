package dev.verbena.tools.pingpong;

import dev.verbena.tools.pingpong.end.Completions;
import dev.verbena.tools.pingpong.end.Destination;
import dev.verbena.verbs.QueuePair;
import java.util.List;

/** The queue pairs of one end of a ping-pong, and the requests that it posts to them. */
interface Party {
  /** The queue pairs, in the order in which the peer's are connected to them. */
  List<QueuePair> qps();

  /** Connects the queue pair with this index, in INIT, to the peer's. */
  void connect(int index, Destination local, Destination remote);

  /** Posts a send, signaled, with {@link Completions#SEND_WR_ID}. */
  void postSend(int index);

  /** Posts {@code count} receives with {@link Completions#RECV_WR_ID}. */
  void postRecv(int count);

  /**
   * Destroys the queue pairs and their other objects; each step reports objects that are in use.
   */
  void destroy();
}
