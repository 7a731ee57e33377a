package dev.verbena.soft.transport;

import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Grh;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the transport services, as data, because the machines are the same for
 * all of them.
 */
public enum Service {
  /** Reliable connection. */
  RC(Transport.RC, 0, /* acknowledged= */ true, /* connected= */ true),
  /** Unreliable connection. */
  UC(Transport.UC, Opcode.UC_BASE, /* acknowledged= */ false, /* connected= */ true),
  /** Unreliable datagram. */
  UD(Transport.UD, Opcode.UD_BASE, /* acknowledged= */ false, /* connected= */ false),
  /** Extended reliable connection: either half of it. */
  XRC(Transport.XRC, Opcode.XRC_BASE, /* acknowledged= */ true, /* connected= */ true),
  /** Ethernet frames, which no RoCE packet carries. */
  RAW(null, 0, /* acknowledged= */ false, /* connected= */ false);

  private final @Nullable Transport transport;

  /** Added to an opcode of RC, gives the opcode of this service, which must exist (S12.3). */
  public final int opcodeBase;

  /** Whether the peer answers requests; then they are repeated until it does, or fail. */
  public final boolean acknowledged;

  /** Whether a queue pair has one peer; otherwise every request names its destination. */
  public final boolean connected;

  /** Whether a message takes as many packets as it needs; otherwise it must fit into one. */
  public final boolean cutsMessages;

  /** Whether messages are single packets that name sender and Q_Key, from and to anyone. */
  public final boolean datagram;

  /** Whether it sends Ethernet frames. */
  public final boolean ethernet;

  Service(@Nullable Transport transport, int opcodeBase, boolean acknowledged, boolean connected) {
    this.transport = transport;
    this.opcodeBase = opcodeBase;
    this.acknowledged = acknowledged;
    this.connected = connected;
    cutsMessages = connected;
    datagram = transport == Transport.UD;
    ethernet = transport == null;
  }

  /** The service of a queue pair type. */
  public static Service of(QpType type) {
    return switch (type) {
      case RC -> RC;
      case UC -> UC;
      case UD -> UD;
      case XRC_SEND, XRC_RECV -> XRC;
      case RAW_PACKET, DRIVER -> RAW;
    };
  }

  /** Whether packets of this transport belong to the service. */
  public boolean isCarriedBy(Transport packets) {
    return transport == packets;
  }

  /** Bytes at the start of a receive that do not belong to the message: the GRH area (S3.3.1). */
  public int reservedBytes() {
    return datagram ? Grh.LENGTH : 0;
  }

  /** The state in which a failed send leaves the queue pair (S1.6.2). */
  public QpState stateAfterSendError() {
    return acknowledged ? QpState.ERR : QpState.SQE;
  }
}
