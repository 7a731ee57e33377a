package dev.verbena.soft.engine.journal;

import dev.verbena.wire.AethSyndrome;

/** Why a responder does not execute a request: the code of its NAK. The names are stable. */
enum NakReason {
  /** An earlier packet is missing. */
  PSN_SEQUENCE_ERROR("PSN sequence error"),
  /** Not a request that this queue pair executes. */
  INVALID_REQUEST("invalid request"),
  /** The access to the memory is not allowed. */
  REMOTE_ACCESS_ERROR("remote access error"),
  /** The responder could not execute it. */
  REMOTE_OPERATIONAL_ERROR("remote operational error"),
  /** A request of an unused service. */
  INVALID_RD_REQUEST("invalid RD request"),
  /** A code that is not in the specification. */
  UNKNOWN("an unknown code");

  private final String text;

  NakReason(String text) {
    this.text = text;
  }

  /** In words. */
  String text() {
    return text;
  }

  /** The reason for the AETH syndrome of a NAK. */
  static NakReason of(int syndrome) {
    return switch (syndrome) {
      case AethSyndrome.NAK_PSN_SEQUENCE_ERROR -> PSN_SEQUENCE_ERROR;
      case AethSyndrome.NAK_INVALID_REQUEST -> INVALID_REQUEST;
      case AethSyndrome.NAK_REMOTE_ACCESS_ERROR -> REMOTE_ACCESS_ERROR;
      case AethSyndrome.NAK_REMOTE_OPERATIONAL_ERROR -> REMOTE_OPERATIONAL_ERROR;
      case AethSyndrome.NAK_INVALID_RD_REQUEST -> INVALID_RD_REQUEST;
      default -> UNKNOWN;
    };
  }
}
