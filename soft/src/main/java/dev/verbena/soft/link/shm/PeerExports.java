package dev.verbena.soft.link.shm;

import dev.verbena.soft.link.ImportedQueuePair;
import dev.verbena.soft.link.ImportedRegion;
import dev.verbena.soft.link.Requests;
import dev.verbena.verbs.Access;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What the device at one address exports. Trusts nothing that it reads there: the kernel guarantees
 * the size of each memory that it maps. A thread that uses memory while another closes it is told
 * so by an exception of the JDK, which means that it is not exported any more.
 */
final class PeerExports implements AutoCloseable {
  private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

  /** How long the owner may have been dead before this notices. */
  private static final long LOOK_NANOS = 50_000;

  private final Path descriptors;
  private final PeerInbox inbox;
  private final MemorySegment tables;
  private final AtomicReferenceArray<@Nullable Mapped> regions =
      new AtomicReferenceArray<>(ExportTable.ENTRIES);
  private volatile boolean closed;

  private PeerExports(PeerInbox inbox) {
    descriptors = inbox.descriptors();
    this.inbox = inbox;
    tables = inbox.header();
  }

  /** The exports of an address, or null if no living device is there. */
  static @Nullable PeerExports open(Rendezvous rendezvous, Address address) {
    PeerInbox inbox = PeerInbox.open(rendezvous, address);
    // If it lives, the other descriptors of the process are those of the same device's owner.
    if (inbox != null && !inbox.isInUse()) {
      inbox.close();
      return null;
    }
    return inbox == null ? null : new PeerExports(inbox);
  }

  /** Whether the owner lives and has not closed its inbox. Makes a system call. */
  synchronized boolean isAlive() {
    return !closed && inbox.isInUse();
  }

  /** See {@link dev.verbena.soft.link.Exports#find}. */
  @Nullable ImportedQueuePair find(Requests requests) {
    int key = requests.toQpn();
    int bucket = ExportTable.bucket(key);
    try {
      for (int i = bucket; i < bucket + ExportTable.WAYS; i++) {
        long at = ExportTable.at(InboxLayout.QUEUE_PAIRS_AT, i);
        long word = InboxLayout.longAt(tables, at);
        if (ExportTable.has(word, key)) {
          return open(requests, i, at, word);
        }
      }
    } catch (IllegalStateException e) {
      // Another thread has just closed it.
      return null;
    }
    return null;
  }

  private @Nullable ImportedQueuePair open(Requests requests, int index, long at, long word) {
    long[] fields = new long[ExportTable.FIELDS];
    if (!ExportTable.read(tables, at, word, fields)) {
      return null;
    }
    boolean expects =
        requests.from().is(fields[0], fields[1])
            && fields[2] == (((long) requests.fromQpn() << 32) | requests.psn())
            && (int) (fields[3] >>> 32) == requests.pkey();
    return expects
        ? new Opened(at, word, ExportTable.useAt(InboxLayout.QUEUE_PAIRS_AT, index), fields)
        : null;
  }

  private @Nullable Mapped region(int rkey) {
    int bucket = ExportTable.bucket(rkey);
    for (int i = bucket; i < bucket + ExportTable.WAYS; i++) {
      long word = InboxLayout.longAt(tables, ExportTable.at(InboxLayout.REGIONS_AT, i));
      if (ExportTable.has(word, rkey)) {
        Mapped known = regions.get(i);
        return known != null && known.word == word ? known : map(i, word);
      }
    }
    return null;
  }

  private synchronized @Nullable Mapped map(int index, long word) {
    Mapped known = regions.get(index);
    if (closed || (known != null && known.word == word)) {
      return known;
    }
    if (known != null) {
      known.close();
    }
    Mapped made = new Mapped(word, index);
    regions.set(index, made);
    return made;
  }

  /** Unmaps what is not exported any more. */
  synchronized void tidy() {
    if (!isAlive()) {
      close();
    }
    for (int i = 0; !closed && i < ExportTable.ENTRIES; i++) {
      Mapped known = regions.get(i);
      if (known != null
          && InboxLayout.longAt(tables, ExportTable.at(InboxLayout.REGIONS_AT, i)) != known.word) {
        regions.set(i, null);
        known.close();
      }
    }
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (int i = 0; i < ExportTable.ENTRIES; i++) {
      Mapped known = regions.get(i);
      if (known != null) {
        known.close();
      }
    }
    inbox.close();
  }

  /** A region, or one that cannot be mapped. */
  private final class Mapped {
    final long word;
    final @Nullable ImportedRegion region;
    private final Arena ofRegion = Arena.ofShared();

    Mapped(long word, int index) {
      this.word = word;
      region = region(index);
    }

    private @Nullable ImportedRegion region(int index) {
      long[] fields = new long[ExportTable.FIELDS];
      long at = ExportTable.at(InboxLayout.REGIONS_AT, index);
      if (!ExportTable.read(tables, at, word, fields)) {
        return null;
      }
      int file = SharedMemoryNative.open(descriptors.resolve(Long.toString(fields[0])).toString());
      if (file < 0) {
        return null;
      }
      long bytes = fields[2];
      int access = (int) fields[3];
      MemorySegment memory = null;
      // The owner clears the entry before it closes the file, whose number it may then use again.
      boolean isOfEntry = InboxLayout.longAt(tables, at) == word;
      if (isOfEntry && SharedMemoryNative.isOfFixedSize(file, bytes | 1)) {
        memory =
            (access & (Access.REMOTE_WRITE | Access.REMOTE_ATOMIC)) == 0
                ? SharedMemoryNative.mapReadOnly(ofRegion, file, bytes)
                : SharedMemoryNative.map(ofRegion, file, 0, bytes);
      }
      SharedMemoryNative.close(file);
      return memory == null ? null : new ImportedRegion(memory, fields[1], access, fields[4]);
    }

    void close() {
      ofRegion.close();
    }
  }

  private final class Opened implements ImportedQueuePair {
    private final long at;
    private final long word;
    private final long useAt;
    private final int access;
    private final long domain;

    /** The count when it last entered or left. */
    private long use;

    private long lookedAt = System.nanoTime() - LOOK_NANOS;

    Opened(long at, long word, long useAt, long[] fields) {
      this.at = at;
      this.word = word;
      this.useAt = useAt;
      access = (int) fields[3];
      domain = fields[4];
      use = InboxLayout.longAt(tables, useAt);
    }

    @Override
    public boolean enter() {
      try {
        if (!isAliveLately()) {
          return false;
        }
        // Another peer may count here by now, which has to be left alone.
        if (!ExportTable.isFree(use, word) || !count()) {
          return false;
        }
        // Before the look whether it is exported; the owner looks for users after it has withdrawn.
        VarHandle.fullFence();
        if (InboxLayout.longAt(tables, at) == word) {
          return true;
        }
        exit();
        return false;
      } catch (IllegalStateException e) {
        return false;
      }
    }

    private boolean isAliveLately() {
      long now = System.nanoTime();
      if (now - lookedAt < LOOK_NANOS) {
        return true;
      }
      lookedAt = now;
      if (isAlive()) {
        return true;
      }
      PeerExports.this.close();
      return false;
    }

    @Override
    public void exit() {
      try {
        // If the owner has given it up, another peer may count here.
        var _ = count();
      } catch (IllegalStateException e) {
        // Closed meanwhile, after the owner had ended.
        lookedAt = System.nanoTime() - LOOK_NANOS;
      }
    }

    private boolean count() {
      long next = ExportTable.nextUse(use);
      boolean counted = LONGS.compareAndSet(tables, useAt, use, next);
      use = next;
      return counted;
    }

    @Override
    public @Nullable ImportedRegion find(int rkey) {
      try {
        Mapped found = region(rkey);
        ImportedRegion imported = found == null ? null : found.region;
        return imported != null && imported.domain() == domain ? imported : null;
      } catch (IllegalStateException e) {
        return null;
      }
    }

    @Override
    public int access() {
      return access;
    }
  }
}
