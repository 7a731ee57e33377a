package dev.verbena.soft.engine.journal;

/**
 * The queue pair of an event.
 *
 * @param device name of the device
 * @param qpNum number of the queue pair
 * @param peer address of the peer; empty if it has none, or it is unknown
 * @param peerQpNum number of the peer's queue pair; 0 if unknown
 */
record Party(String device, int qpNum, String peer, int peerQpNum) {}
