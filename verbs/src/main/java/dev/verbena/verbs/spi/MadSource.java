package dev.verbena.verbs.spi;

import dev.verbena.verbs.Gid;
import org.jspecify.annotations.Nullable;

/**
 * Who has sent a management datagram.
 *
 * @param lid source LID, path bits included
 * @param sl service level that it came with
 * @param qpNum the sender's queue pair
 * @param gid the sender's GID if it came with a global route, else null
 */
public record MadSource(int lid, int sl, int qpNum, @Nullable Gid gid) {}
