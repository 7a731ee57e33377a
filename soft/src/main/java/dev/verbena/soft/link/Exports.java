package dev.verbena.soft.link;

import dev.verbena.verbs.Access;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * What a device lets the processes behind its link use without packets, and what it may use of
 * theirs. A process *exports* a connected queue pair and regions whose memory others can map; its
 * peer *imports* them, and then writes, reads and atomically changes that memory itself. Nothing
 * depends on it: what is not exported is reached by packets. Any thread may call it.
 */
public interface Exports {
  /** The {@link Access} bits for which memory is exported. */
  int RIGHTS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  /**
   * Memory that can be exported.
   *
   * @param arena frees it
   * @param bytes its size, at least 1
   * @return null if there is none at the moment, so that other memory must do
   */
  @Nullable ExportableMemory allocate(Arena arena, long bytes);

  /**
   * Exports a queue pair that is ready for requests.
   *
   * @param requests the requests that it expects
   * @param access {@link Access} bits for them
   * @param domain number of its protection domain
   */
  Export queuePair(Requests requests, int access, long domain);

  /**
   * Imports the queue pair that expects these requests. Allocates nothing if there is none.
   *
   * @return null if it is not exported now
   */
  @Nullable ImportedQueuePair find(Requests requests);
}
