package dev.verbena.soft.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Export;
import dev.verbena.soft.link.ExportableMemory;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.ImportedQueuePair;
import dev.verbena.soft.link.ImportedRegion;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.Requests;
import dev.verbena.verbs.Access;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A device that exports memory and a queue pair, and the peer that imports them. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
class SharedMemoryExportsTest {
  private static final int REMOTE = Access.REMOTE_WRITE | Access.REMOTE_READ;
  private static final int RKEY = 0x1234_5678;
  private static final long DOMAIN = 7;
  private static final long BASE = 0x7000_0000_0000L;
  private static final int BYTES = 10_000;

  private final Rendezvous rendezvous = Rendezvous.ofUser();
  private final Address address = Gids.address(Endpoint.unused());
  private final Address ofPeer = Gids.address(Endpoint.unused());
  private final SharedMemoryLink link =
      SharedMemoryLink.open(rendezvous, address, new Inbox(), false);
  private final SharedMemoryLink peer =
      SharedMemoryLink.open(rendezvous, ofPeer, new Inbox(), false);
  private final Exports exports = Objects.requireNonNull(link.exports());
  private final Exports imports = Objects.requireNonNull(peer.exports());
  private final Requests requests = new Requests(address, 0x11, ofPeer, 0x12, 0xABCDEF, 0xFFFF);
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void closeAll() {
    peer.close();
    link.close();
    arena.close();
  }

  private ExportableMemory memory() {
    return Objects.requireNonNull(exports.allocate(arena, BYTES));
  }

  private ImportedQueuePair found() {
    return Objects.requireNonNull(imports.find(requests));
  }

  @Test
  void whatOneSideStoresTheOtherSideReads() {
    ExportableMemory memory = memory();
    memory.export(RKEY, BASE, REMOTE, DOMAIN);
    exports.queuePair(requests, REMOTE, DOMAIN);
    ImportedQueuePair qp = found();
    assertThat(qp.enter()).isTrue();
    ImportedRegion region = Objects.requireNonNull(qp.find(RKEY));
    long offset = region.offset(Access.REMOTE_WRITE, BASE + 100, 8);
    region.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, offset, 42);
    qp.exit();
    assertThat(memory.memory().get(ValueLayout.JAVA_LONG_UNALIGNED, 100)).isEqualTo(42);
    assertThat(qp.access()).isEqualTo(REMOTE);
  }

  @Test
  void aRegionIsUsedWithinItsBoundsAndRightsOnly() {
    memory().export(RKEY, BASE, Access.REMOTE_READ, DOMAIN);
    exports.queuePair(requests, REMOTE, DOMAIN);
    ImportedQueuePair qp = found();
    assertThat(qp.enter()).isTrue();
    ImportedRegion region = Objects.requireNonNull(qp.find(RKEY));
    int right = Access.REMOTE_READ;
    assertThat(region.offset(right, BASE, BYTES)).isZero();
    assertThat(region.offset(right, BASE + BYTES - 1, 1)).isEqualTo(BYTES - 1);
    assertThat(region.offset(right, BASE + BYTES - 1, 2)).isNegative();
    assertThat(region.offset(right, BASE - 1, 1)).isNegative();
    assertThat(region.offset(right, BASE, BYTES + 1L)).isNegative();
    assertThat(region.offset(right, BASE, Long.MAX_VALUE)).isNegative();
    assertThat(region.offset(right, BASE + Long.MIN_VALUE, 1)).isNegative();
    assertThat(region.offset(Access.REMOTE_WRITE, BASE, 1)).isNegative();
    assertThat(region.memory().isReadOnly()).isTrue();
    assertThat(qp.find(RKEY + 1)).isNull();
    qp.exit();
  }

  @Test
  void aRegionForAtomicsCanBeChangedThoughNotByWrites() {
    memory().export(RKEY, BASE, Access.REMOTE_ATOMIC, DOMAIN);
    exports.queuePair(requests, Access.REMOTE_ATOMIC, DOMAIN);
    ImportedQueuePair qp = found();
    assertThat(qp.access()).isEqualTo(Access.REMOTE_ATOMIC);
    assertThat(qp.enter()).isTrue();
    ImportedRegion region = Objects.requireNonNull(qp.find(RKEY));
    assertThat(region.memory().isReadOnly()).isFalse();
    assertThat(region.offset(Access.REMOTE_ATOMIC, BASE + 8, 8)).isEqualTo(8);
    assertThat(region.offset(Access.REMOTE_WRITE, BASE + 8, 8)).isNegative();
    assertThat(region.offset(Access.REMOTE_READ, BASE + 8, 8)).isNegative();
    qp.exit();
  }

  @Test
  void aRegionOfAnotherDomainIsNotFound() {
    memory().export(RKEY, BASE, REMOTE, DOMAIN + 1);
    exports.queuePair(requests, REMOTE, DOMAIN);
    ImportedQueuePair qp = found();
    assertThat(qp.enter()).isTrue();
    assertThat(qp.find(RKEY)).isNull();
    qp.exit();
  }

  @Test
  void onlyThePeerOfTheConnectionFindsAQueuePair() {
    exports.queuePair(requests, REMOTE, DOMAIN);
    Address other = Gids.address(Endpoint.unused());
    List<Requests> strangers =
        List.of(
            new Requests(address, 0x10, ofPeer, 0x12, 0xABCDEF, 0xFFFF),
            new Requests(address, 0x11, other, 0x12, 0xABCDEF, 0xFFFF),
            new Requests(address, 0x11, ofPeer, 0x13, 0xABCDEF, 0xFFFF),
            new Requests(address, 0x11, ofPeer, 0x12, 0xABCDEE, 0xFFFF),
            new Requests(address, 0x11, ofPeer, 0x12, 0xABCDEF, 0x7FFF),
            new Requests(other, 0x11, ofPeer, 0x12, 0xABCDEF, 0xFFFF));
    assertThat(strangers).allMatch(stranger -> imports.find(stranger) == null);
    assertThat(imports.find(requests)).isNotNull();
  }

  @Test
  void whatIsWithdrawnIsNotUsedAgain() {
    Export region = memory().export(RKEY, BASE, REMOTE, DOMAIN);
    Export export = exports.queuePair(requests, REMOTE, DOMAIN);
    ImportedQueuePair qp = found();
    assertThat(qp.enter()).isTrue();
    assertThat(qp.find(RKEY)).isNotNull();
    region.withdraw();
    assertThat(qp.find(RKEY)).isNull();
    qp.exit();
    export.withdraw();
    assertThat(qp.enter()).isFalse();
    assertThat(imports.find(requests)).isNull();
  }

  @Test
  void memoryThatIsNotExportedAnyMoreIsUnmapped() {
    Export region = memory().export(RKEY, BASE, REMOTE, DOMAIN);
    exports.queuePair(requests, REMOTE, DOMAIN);
    try (PeerExports importer = Objects.requireNonNull(PeerExports.open(rendezvous, address))) {
      ImportedQueuePair qp = Objects.requireNonNull(importer.find(requests));
      assertThat(qp.enter()).isTrue();
      MemorySegment mapped = Objects.requireNonNull(qp.find(RKEY)).memory();
      qp.exit();
      importer.tidy();
      assertThat(mapped.scope().isAlive()).isTrue();
      region.withdraw();
      importer.tidy();
      assertThat(mapped.scope().isAlive()).isFalse();
    }
  }

  @Test
  void quiesceWaitsForAPeerInTheMiddleOfACopy() throws InterruptedException {
    Export export = exports.queuePair(requests, REMOTE, DOMAIN);
    ImportedQueuePair qp = found();
    assertThat(qp.enter()).isTrue();
    AtomicBoolean left = new AtomicBoolean();
    CountDownLatch withdrawn = new CountDownLatch(1);
    Thread peerThread =
        Thread.ofPlatform()
            .start(
                () -> {
                  awaitUninterrupted(withdrawn);
                  left.set(true);
                  qp.exit();
                });
    export.withdraw();
    withdrawn.countDown();
    export.quiesce();
    assertThat(left).isTrue();
    peerThread.join();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPeerOfBeforeDoesNotCountInAnEntryThatIsUsedAgain() throws InterruptedException {
    Export first = exports.queuePair(requests, REMOTE, DOMAIN);
    ImportedQueuePair old = found();
    first.withdraw();
    first.quiesce();
    Export second = exports.queuePair(requests, REMOTE, DOMAIN);
    ImportedQueuePair present = found();
    assertThat(present.enter()).isTrue();
    assertThat(old.enter()).isFalse();
    AtomicBoolean left = new AtomicBoolean();
    second.withdraw();
    Thread peerThread =
        Thread.ofPlatform()
            .start(
                () -> {
                  left.set(true);
                  present.exit();
                });
    second.quiesce();
    assertThat(left).isTrue();
    peerThread.join();
  }

  @Test
  void aPeerThatDiedInTheMiddleOfACopyIsNotWaitedFor() {
    Export export = exports.queuePair(requests, REMOTE, DOMAIN);
    assertThat(found().enter()).isTrue();
    // As at its death: nobody holds the lock of its inbox any more.
    peer.close();
    export.withdraw();
    export.quiesce();
    assertThat(rendezvous.isInUse(ofPeer)).isFalse();
  }

  @Test
  void nothingOfADeviceThatHasClosedIsUsed() {
    exports.queuePair(requests, REMOTE, DOMAIN);
    ImportedQueuePair qp = found();
    link.close();
    assertThat(qp.enter()).isFalse();
    assertThat(imports.find(requests)).isNull();
  }

  @Test
  void oneWrongBitInAnEntryMakesItUnusable() {
    memory().export(RKEY, BASE, REMOTE, DOMAIN);
    exports.queuePair(requests, REMOTE, DOMAIN);
    int fd = SharedMemoryNative.open(rendezvous.name(address));
    try (Arena here = Arena.ofShared()) {
      MemorySegment tables =
          Objects.requireNonNull(SharedMemoryNative.map(here, fd, 0, InboxLayout.HEADER_BYTES));
      long region = ExportTable.at(InboxLayout.REGIONS_AT, ExportTable.bucket(RKEY));
      long qp = ExportTable.at(InboxLayout.QUEUE_PAIRS_AT, ExportTable.bucket(0x11));
      for (int bit = 0; bit < 56 * Byte.SIZE; bit++) {
        flip(tables, region, bit);
        assertThat(rkeyIsFound()).as("region, bit %d", bit).isFalse();
        flip(tables, region, bit);
        flip(tables, qp, bit);
        assertThat(imports.find(requests)).as("queue pair, bit %d", bit).isNull();
        flip(tables, qp, bit);
      }
      assertThat(rkeyIsFound()).isTrue();
    } finally {
      SharedMemoryNative.close(fd);
    }
  }

  /** By a process that has not seen it before. */
  private boolean rkeyIsFound() {
    try (PeerExports importer = Objects.requireNonNull(PeerExports.open(rendezvous, address))) {
      ImportedQueuePair qp = Objects.requireNonNull(importer.find(requests));
      assertThat(qp.enter()).isTrue();
      boolean found = qp.find(RKEY) != null;
      qp.exit();
      return found;
    }
  }

  private static void flip(MemorySegment memory, long at, int bit) {
    long place = at + bit / Byte.SIZE;
    byte old = memory.get(ValueLayout.JAVA_BYTE, place);
    memory.set(ValueLayout.JAVA_BYTE, place, (byte) (old ^ 1 << bit % Byte.SIZE));
  }

  @Test
  void moreRegionsThanThereIsRoomForAreNotExported() {
    List<Export> made = new ArrayList<>();
    ExportableMemory memory = exports.allocate(arena, 1);
    while (memory != null) {
      made.add(memory.export(made.size() << 16, BASE, REMOTE, DOMAIN));
      memory = exports.allocate(arena, 1);
    }
    assertThat(made).hasSize(256).doesNotContain(Export.NONE);
    made.getFirst().withdraw();
    made.getFirst().withdraw();
    assertThat(exports.allocate(arena, 1)).isNotNull();
    assertThat(exports.allocate(arena, 1)).isNull();
  }

  @Test
  void aBucketThatIsFullExportsNoMore() {
    int sameBucket = 1 << 24;
    for (int i = 0; i < ExportTable.WAYS; i++) {
      assertThat(memory().export(RKEY + i * sameBucket, BASE, REMOTE, DOMAIN))
          .isNotEqualTo(Export.NONE);
    }
    assertThat(memory().export(RKEY + 4 * sameBucket, BASE, REMOTE, DOMAIN)).isEqualTo(Export.NONE);
  }
}
