package dev.verbena.tools.pingpong;

import dev.verbena.verbs.QueuePair;
import java.util.List;

/** The queue pairs with which one end takes part in a ping-pong, and what it posts to them. */
interface Party {
  /** In the order in which the peer's are connected to them. */
  List<QueuePair> qps();

  /** Connects the queue pair with this index, in INIT, to the peer's. */
  void connect(int index, Destination local, Destination remote);

  /** Posts a send, signaled, with {@link PingpongLoop#SEND_WR_ID}. */
  void postSend(int index);

  /** Posts {@code count} receives with {@link PingpongLoop#RECV_WR_ID}. */
  void postRecv(int count);

  /** Destroys the queue pairs and what belongs to them; each step reports what is in use. */
  void destroy();
}
