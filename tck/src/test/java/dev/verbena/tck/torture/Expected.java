package dev.verbena.tck.torture;

/**
 * A message that takes a receive.
 *
 * @param message its number
 * @param length its bytes
 * @param withImm whether it has immediate data, which is the message's number
 * @param data whether its data lands in the receive
 */
record Expected(long message, int length, boolean withImm, boolean data) {}
