package dev.verbena.tck.torture;

import dev.verbena.verbs.WcFlags;

/**
 * A message that takes a receive.
 *
 * @param message its number
 * @param length its bytes
 * @param withImm whether it has immediate data, which is the message's number
 * @param withInv whether it invalidates the window of its batch
 * @param data whether its data lands in the receive
 */
record Expected(long message, int length, boolean withImm, boolean withInv, boolean data) {
  /** The message of an operation that takes a receive. */
  static Expected of(Operation op) {
    return new Expected(op.message, op.length, op.hasImm(), op.invalidates(), op.sends());
  }

  /** The flags of its completion that say what it carries. */
  int flags() {
    return (withImm ? WcFlags.WITH_IMM : 0) | (withInv ? WcFlags.WITH_INV : 0);
  }
}
