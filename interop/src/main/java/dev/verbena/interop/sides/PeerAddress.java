package dev.verbena.interop.sides;

import dev.verbena.verbs.Gid;

/** How to reach a queue pair. */
public record PeerAddress(int qpn, int psn, Gid gid) {}
