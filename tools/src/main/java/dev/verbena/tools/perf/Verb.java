package dev.verbena.tools.perf;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.QpType;
import java.util.List;

/** What a tool measures. */
enum Verb {
  /** Messages into receives. */
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

  /** As perftest's programs call it in the title of a test. */
  String title() {
    return title;
  }

  /** What the peer may do to this end's memory. */
  int remoteAccess() {
    return remoteAccess;
  }

  /** On which it can be measured. */
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

  /** Whether it brings data from the peer, so that each message is a round trip by itself. */
  boolean fetches() {
    return this == READ || this == ATOMIC;
  }
}
