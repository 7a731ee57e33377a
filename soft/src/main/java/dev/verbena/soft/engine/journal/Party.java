package dev.verbena.soft.engine.journal;

/**
 * Whose event it is.
 *
 * @param device name of the device
 * @param qpNum number of the queue pair
 * @param peer address of the peer; empty if it has none, or none is known
 * @param peerQpNum number of the peer's queue pair; 0 if none is known
 */
record Party(String device, int qpNum, String peer, int peerQpNum) {}
