package dev.verbena.interop;

import dev.verbena.verbs.Gid;

/** How to reach a queue pair. */
record PeerAddress(int qpn, int psn, Gid gid) {}
