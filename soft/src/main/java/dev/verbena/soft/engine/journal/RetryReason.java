package dev.verbena.soft.engine.journal;

/** Why a requester goes back. The names are stable. */
enum RetryReason {
  /** The timer has expired. */
  TIMEOUT("no answer came"),
  /** A NAK for a gap, or an answer that skips another one. */
  GAP("the peer's answer shows a loss");

  private final String text;

  RetryReason(String text) {
    this.text = text;
  }

  /** In words. */
  String text() {
    return text;
  }
}
