package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.Export;
import dev.verbena.soft.link.ExportableMemory;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.Requests;
import dev.verbena.wire.Address;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a device exports in its inbox. Keeps a record of its own, because other processes can write
 * into the tables.
 */
final class OwnExports {
  private static final System.Logger LOG = System.getLogger("dev.verbena.soft.link");

  /** The most regions, because each keeps a descriptor open. */
  private static final int MOST_REGIONS = 256;

  /** Longer than most copies. */
  private static final long SPIN_NANOS = 20_000;

  /** How long a peer may take for a copy before this looks whether it lives. */
  private static final long LOOK_NANOS = 10_000_000;

  /** How long a peer that lives may take. */
  private static final long PATIENCE_NANOS = 1_000_000_000;

  private final MemorySegment memory;
  private final Rendezvous rendezvous;

  /** The first longs of all entries, of regions and of queue pairs. */
  private final long[] regions = new long[ExportTable.ENTRIES];

  private final long[] queuePairs = new long[ExportTable.ENTRIES];
  private int serial = ThreadLocalRandom.current().nextInt();
  private int descriptors;
  private boolean closed;

  /**
   * @param memory the inbox
   */
  OwnExports(MemorySegment memory, Rendezvous rendezvous) {
    this.memory = memory;
    this.rendezvous = rendezvous;
  }

  /** See {@link dev.verbena.soft.link.Exports#allocate}. */
  @Nullable ExportableMemory allocate(Arena arena, long bytes) {
    synchronized (this) {
      if (closed || descriptors == MOST_REGIONS) {
        return null;
      }
      descriptors++;
    }
    // Odd, so that nobody can offer a file of huge pages for it, which may run out.
    int fd = SharedMemoryNative.mayGet(bytes) ? SharedMemoryNative.create(bytes | 1) : -1;
    MemorySegment made = fd < 0 ? null : SharedMemoryNative.map(arena, fd, 0, bytes);
    Descriptor descriptor = new Descriptor(fd);
    if (made == null) {
      descriptor.close();
      return null;
    }
    return new OwnMemory(made, descriptor);
  }

  /** See {@link dev.verbena.soft.link.Exports#queuePair}. */
  Export queuePair(Requests requests, int access, long domain) {
    Address from = requests.from();
    long[] fields = {
      from.hi(),
      from.lo(),
      ((long) requests.fromQpn() << 32) | requests.psn(),
      ((long) requests.pkey() << 32) | (access & Exports.RIGHTS),
      domain
    };
    Entry entry = add(InboxLayout.QUEUE_PAIRS_AT, queuePairs, requests.toQpn(), fields, from, null);
    return entry == null ? Export.NONE : entry;
  }

  private synchronized @Nullable Entry add(
      long table, long[] words, int key, long[] fields, Address peer, @Nullable Descriptor file) {
    int bucket = ExportTable.bucket(key);
    for (int i = bucket; !closed && i < bucket + ExportTable.WAYS; i++) {
      if (words[i] == 0) {
        serial += serial == -1 ? 2 : 1;
        words[i] = ExportTable.word(key, serial);
        ExportTable.fill(memory, ExportTable.at(table, i), words[i], fields);
        return new Entry(table, words, i, peer, file);
      }
    }
    return null;
  }

  /** Exports nothing any more. Its memory may be freed afterwards. */
  synchronized void close() {
    closed = true;
  }

  /** An open file of shared memory. */
  private final class Descriptor {
    private int fd;

    Descriptor(int fd) {
      this.fd = fd;
    }

    void close() {
      synchronized (OwnExports.this) {
        descriptors--;
      }
      if (fd >= 0) {
        SharedMemoryNative.close(fd);
        fd = -1;
      }
    }
  }

  private final class OwnMemory implements ExportableMemory {
    private final MemorySegment bytes;
    private final Descriptor descriptor;

    OwnMemory(MemorySegment bytes, Descriptor descriptor) {
      this.bytes = bytes;
      this.descriptor = descriptor;
    }

    @Override
    public MemorySegment memory() {
      return bytes;
    }

    @Override
    public Export export(int rkey, long base, int access, long domain) {
      long[] fields = {descriptor.fd, base, bytes.byteSize(), access & Exports.RIGHTS, domain};
      Entry entry =
          add(InboxLayout.REGIONS_AT, regions, rkey, fields, Address.UNSPECIFIED, descriptor);
      if (entry == null) {
        keepPrivate();
        return Export.NONE;
      }
      return entry;
    }

    @Override
    public void keepPrivate() {
      descriptor.close();
    }
  }

  private final class Entry implements Export {
    private final long table;
    private final long[] words;
    private final int index;
    private final Address peer;

    /** Of a region's memory; null for a queue pair. */
    private final @Nullable Descriptor file;

    private boolean withdrawn;
    private boolean freed;

    Entry(long table, long[] words, int index, Address peer, @Nullable Descriptor file) {
      this.table = table;
      this.words = words;
      this.index = index;
      this.peer = peer;
      this.file = file;
    }

    @Override
    public void withdraw() {
      synchronized (OwnExports.this) {
        if (withdrawn) {
          return;
        }
        withdrawn = true;
        if (!closed) {
          InboxLayout.publish(memory, ExportTable.at(table, index), 0);
          // Before the look whether the peer uses it, which looks again after it says that it does.
          VarHandle.fullFence();
        }
        if (file != null) {
          words[index] = 0;
        }
      }
      if (file != null) {
        file.close();
      }
    }

    @Override
    public void quiesce() {
      boolean ends;
      synchronized (OwnExports.this) {
        ends = withdrawn;
      }
      awaitPeer();
      synchronized (OwnExports.this) {
        if (ends && !freed) {
          // Not before, because the next peer of this entry would count its own use in it. And not
          // if another thread has withdrawn it meanwhile, because a peer may have begun before.
          freed = true;
          words[index] = 0;
        }
      }
    }

    private long use() {
      synchronized (OwnExports.this) {
        return closed || freed ? 0 : InboxLayout.longAt(memory, ExportTable.useAt(table, index));
      }
    }

    @SuppressWarnings("ThreadPriorityCheck") // correct without the yield, only later
    private void awaitPeer() {
      long seen = use();
      if ((seen & 1) == 0) {
        return;
      }
      long start = System.nanoTime();
      long looked = start;
      while (use() == seen) {
        long now = System.nanoTime();
        if (now - start < SPIN_NANOS) {
          Thread.onSpinWait();
        } else {
          // The peer may be waiting for this processor.
          Thread.yield();
        }
        if (now - looked > LOOK_NANOS) {
          looked = now;
          if (!rendezvous.isInUse(peer)) {
            return;
          }
          if (now - start > PATIENCE_NANOS) {
            LOG.log(
                Level.WARNING,
                "the device at {0} stands still while it copies to or from memory of this process",
                peer);
            return;
          }
        }
      }
    }
  }
}
