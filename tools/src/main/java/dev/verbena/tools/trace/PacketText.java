package dev.verbena.tools.trace;

import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.CapturedFrame;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Psn;
import dev.verbena.wire.RnrTimer;

/** Packets as words. */
final class PacketText {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MILLI = 1e6;

  /** What matters about a packet. */
  static String of(TracedPacket packet) {
    Opcode.Row row = packet.row();
    if (row == null) {
      return "? " + packet.flaw();
    }
    if (row.operation == Operation.CNP) {
      return "CNP: send less";
    }
    if (row.operation == Operation.BUFFER) {
      return "BUFFER psn %d: how much its receive buffer holds".formatted(packet.psn());
    }
    StringBuilder text = new StringBuilder(name(packet, row)).append(" psn ").append(packet.psn());
    if (packet.psns() > 1) {
      text.append(" to ").append(Psn.add(packet.psn(), packet.psns() - 1));
    }
    if (packet.messageLength() >= 0
        && row.hasPayload
        && packet.payload() != packet.messageLength()) {
      text.append(", ").append(packet.payload()).append(" of ");
      text.append(bytes(packet.messageLength()));
    } else if (packet.messageLength() >= 0) {
      text.append(", ").append(bytes(packet.messageLength()));
    } else if (row.hasPayload) {
      text.append(", ").append(bytes(packet.payload()));
    }
    if (packet.syndrome() >= 0) {
      text.append(", msn ").append(packet.msn());
    }
    return packet.ackRequest() ? text.append(", asks for ACK").toString() : text.toString();
  }

  private static String name(TracedPacket packet, Opcode.Row row) {
    int syndrome = packet.syndrome();
    if (row.operation == Operation.ACKNOWLEDGE) {
      return AethSyndrome.isAck(syndrome) ? "ACK" : refusal(syndrome);
    }
    String name = row.name.substring(row.transport.name().length() + 1);
    return syndrome < 0 || AethSyndrome.isAck(syndrome) ? name : name + " " + refusal(syndrome);
  }

  /** The words for a syndrome that is no ACK. */
  static String refusal(int syndrome) {
    if (AethSyndrome.isRnr(syndrome)) {
      double millis = RnrTimer.nanos(AethSyndrome.code(syndrome)) / NANOS_PER_MILLI;
      return "RNR NAK (wait %.2f ms)".formatted(millis);
    }
    return switch (syndrome) {
      case AethSyndrome.NAK_PSN_SEQUENCE_ERROR -> "NAK (PSN sequence error)";
      case AethSyndrome.NAK_INVALID_REQUEST -> "NAK (invalid request)";
      case AethSyndrome.NAK_REMOTE_ACCESS_ERROR -> "NAK (remote access error)";
      case AethSyndrome.NAK_REMOTE_OPERATIONAL_ERROR -> "NAK (remote operational error)";
      case AethSyndrome.NAK_INVALID_RD_REQUEST -> "NAK (invalid RD request)";
      default -> "NAK (syndrome 0x%02x)".formatted(syndrome);
    };
  }

  /** When a packet came, in seconds with microseconds. */
  static String time(long nanos, long startNanos) {
    return nanos == CapturedFrame.NO_TIME ? "?" : seconds(nanos - startNanos);
  }

  /** Seconds with microseconds. */
  static String seconds(long nanos) {
    return "%.6f".formatted(nanos / NANOS_PER_SECOND);
  }

  private static String bytes(long count) {
    return count == 1 ? "1 byte" : count + " bytes";
  }

  private PacketText() {}
}
