package dev.verbena.verbs.spi;

import dev.verbena.verbs.Gid;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a management datagram.
 *
 * @param lid source LID, path bits included
 * @param sl service level of the datagram
 * @param qpNum the sender's queue pair
 * @param gid the sender's GID if the datagram has a global route, else null
 */
public record MadSource(int lid, int sl, int qpNum, @Nullable Gid gid) {}
