package dev.verbena.tools.perf;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.QpType;
import java.util.List;

/** The operation that a tool measures. */
enum Verb {
  /** Messages to receives. */
  SEND("Send", 0),

  /** Into the peer's memory. */
  WRITE("RDMA_Write", Access.REMOTE_WRITE),

  /** Out of the peer's memory. */
  READ("RDMA_Read", Access.REMOTE_READ),

  /** On 8 bytes of the peer's memory. */
  ATOMIC("Atomic", Access.REMOTE_ATOMIC);

  private final String title;
  private final int remoteAccess;

  Verb(String title, int remoteAccess) {
    this.title = title;
    this.remoteAccess = remoteAccess;
  }

  /** The name that perftest's programs use in the title of a test. */
  String title() {
    return title;
  }

  /** The peer's rights to this end's memory. */
  int remoteAccess() {
    return remoteAccess;
  }

  /** The services on which it can be measured. */
  List<QpType> services() {
    return switch (this) {
      case SEND -> List.of(QpType.RC, QpType.UC, QpType.UD);
      case WRITE -> List.of(QpType.RC, QpType.UC);
      case READ, ATOMIC -> List.of(QpType.RC);
    };
  }

  /** Whether the peer answers each message with one of its own; otherwise only the client acts. */
  boolean isAnswered() {
    return this == SEND || this == WRITE;
  }

  /** Whether it fetches data from the peer, so that each message is a round trip by itself. */
  boolean fetches() {
    return this == READ || this == ATOMIC;
  }
}
