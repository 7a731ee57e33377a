package dev.verbena.soft.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.Receiver;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.Gid;
import dev.verbena.wire.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Processes that write what they like into an inbox, or end without a word. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
class HostileNeighborTest {
  private static final long MILLISECOND = 1_000_000;

  private final Rendezvous rendezvous = Rendezvous.ofUser();
  private final Inbox inbox = new Inbox();
  private final Inbox ofSender = new Inbox();
  private final Address address = Gids.address(Endpoint.unused());
  private final SharedMemoryLink link = SharedMemoryLink.open(rendezvous, address, inbox, false);
  private final SharedMemoryLink sender =
      SharedMemoryLink.open(rendezvous, Gids.address(Endpoint.unused()), ofSender, false);
  private final MemorySegment datagram = Endpoint.datagram(64, 1);

  @AfterEach
  void closeBoth() {
    sender.close();
    link.close();
  }

  @Test
  void aLengthThatNoDatagramHasIsDroppedAndTheNextOneArrives() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ring = ringOfSender(arena);
      int[] lengths = {-1, Integer.MIN_VALUE, InboxLayout.MAX_DATAGRAM + 1, Integer.MAX_VALUE};
      for (int i = 0; i < lengths.length; i++) {
        send(MILLISECOND);
        long cell = InboxLayout.cell(1 + i);
        ring.set(ValueLayout.JAVA_INT, cell + InboxLayout.LENGTH_AT, lengths[i]);
      }
      send(MILLISECOND);
      assertThat(link.receive(inbox, 16, 0)).isEqualTo(lengths.length + 1);
      assertThat(inbox.count(Counter.DROPPED_MALFORMED)).isEqualTo(lengths.length);
      assertThat(inbox.mails).hasSize(2);
      assertThat(inbox.mails.getLast().bytes()).isEqualTo(Endpoint.bytes(datagram));
    }
  }

  @Test
  void aReaderThatWasToldOfMoreCellsThanThereAreMeetsItsSenderAgain() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ring = ringOfSender(arena);
      send(MILLISECOND);
      ring.set(
          ValueLayout.JAVA_INT,
          InboxLayout.cell(1) + InboxLayout.LENGTH_AT,
          InboxLayout.MAX_DATAGRAM);
      assertThat(link.receive(inbox, 16, 0)).isEqualTo(InboxLayout.cells(InboxLayout.MAX_DATAGRAM));
      send(2 * MILLISECOND);
      assertThat(link.receive(inbox, 16, 0)).isZero();
      inbox.mails.clear();
      expectAfterCheck(link, inbox);
    }
  }

  @Test
  void noBytesInARingEndItsReader() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int mostCells = InboxLayout.cells(InboxLayout.MAX_DATAGRAM);
    Receiver checked =
        (arrival, now) -> {
          assertThat(arrival.flowLabel).as("seed %d", seed).isBetween(0, 0xFFFFF);
          inbox.datagram(arrival, now);
        };
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ring = ringOfSender(arena);
      int index = 1;
      for (int round = 0; round < 200; round++) {
        long cell = InboxLayout.cell(index);
        for (long at = 0; at < InboxLayout.DATA_AT; at += Integer.BYTES) {
          ring.set(ValueLayout.JAVA_INT, cell + at, random.nextInt());
        }
        ring.set(ValueLayout.JAVA_LONG, cell + InboxLayout.NUMBER_AT, 1L + index);
        ring.set(ValueLayout.JAVA_LONG, InboxLayout.TAKEN_AT, random.nextLong());
        int taken = link.receive(checked, 1, 0);
        assertThat(taken).as("seed %d", seed).isBetween(1, mostCells);
        index += taken;
      }
      assertThat(inbox.mails).allMatch(mail -> mail.bytes().length <= InboxLayout.MAX_DATAGRAM);
    }
    // What others send is not touched by that.
    assertThat(link.send(datagram, 64, Endpoint.routeTo(link), 0)).isTrue();
    int before = inbox.mails.size();
    inbox.expect(link, before + 1);
  }

  @Test
  void aReaderThatClaimsToHaveTakenMoreThanThereIsGetsNothingOverwritten() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ring = ringOfSender(arena);
      for (int i = 0; i < InboxLayout.CELLS; i++) {
        send(MILLISECOND);
      }
      for (long claim : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, -1, 0, 1 << 20}) {
        ring.set(ValueLayout.JAVA_LONG, InboxLayout.TAKEN_AT, claim);
        assertThat(sender.send(datagram, 64, Endpoint.routeTo(link), MILLISECOND)).isFalse();
      }
    }
  }

  @Test
  void aCountForgedBeforeARingIsTakenLosesNoMoreThanTheFirstDatagrams() {
    for (long claim : new long[] {1, 3, InboxLayout.CELLS, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      try (SharedMemoryLink reader = open();
          Arena arena = Arena.ofConfined()) {
        Inbox mail = new Inbox();
        MemorySegment memory = inboxOf(reader, arena);
        for (int i = 0; i < InboxLayout.RINGS; i++) {
          memory.set(ValueLayout.JAVA_LONG, InboxLayout.ring(i) + InboxLayout.TAKEN_AT, claim);
        }
        assertThat(sender.send(datagram, 64, Endpoint.routeTo(reader), 0)).isTrue();
        assertThat(reader.receive(mail, 16, 0)).as("count %d", claim).isZero();
        expectAfterCheck(reader, mail);
      }
    }
  }

  @Test
  void aRingWhoseReaderWaitsForANumberThatWasOverwrittenIsLeft() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ring = ringOfSender(arena);
      send(MILLISECOND);
      ring.set(ValueLayout.JAVA_LONG, InboxLayout.cell(1) + InboxLayout.NUMBER_AT, 77);
      assertThat(link.receive(inbox, 16, 0)).isZero();
      inbox.mails.clear();
      expectAfterCheck(link, inbox);
    }
  }

  @Test
  void aRingThatIsSaidToBeUnusedIsReadAgainSoon() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = inboxOf(link, arena);
      send(0);
      inbox.expect(link, 1);
      memory.set(ValueLayout.JAVA_LONG, InboxLayout.RINGS_AT, 0L);
      send(MILLISECOND);
      assertThat(link.receive(inbox, 16, 0)).isZero();
      inbox.mails.clear();
      send(20 * MILLISECOND);
      inbox.expect(link, 2);
    }
  }

  /** What is sent after the next check of a ring arrives. */
  private void expectAfterCheck(SharedMemoryLink reader, Inbox mail) {
    MemorySegment next = Endpoint.datagram(80, 2);
    assertThat(sender.send(next, 80, Endpoint.routeTo(reader), 20 * MILLISECOND)).isTrue();
    // The first one may follow, if the reader meets it where it is.
    assertThat(reader.receive(mail, 16, 0)).isPositive();
    assertThat(mail.mails.getFirst().bytes()).isEqualTo(Endpoint.bytes(next));
  }

  @Test
  void anInboxWhoseOwnerHasDiedIsFoundOutAndItsSuccessorIsMet() {
    Address other = Gids.address(Endpoint.unused());
    int fd = SharedMemoryNative.create(InboxLayout.INBOX_BYTES);
    try (Arena killed = Arena.ofConfined()) {
      MemorySegment inboxOfKilled = SharedMemoryNative.map(killed, fd, 0, InboxLayout.INBOX_BYTES);
      assertThat(inboxOfKilled).isNotNull();
      assertThat(SharedMemoryNative.lock(fd, PeerInbox.OWNER_LOCK)).isTrue();
      inboxOfKilled.set(ValueLayout.JAVA_LONG, InboxLayout.ADDRESS_AT, other.hi());
      inboxOfKilled.set(ValueLayout.JAVA_LONG, InboxLayout.ADDRESS_AT + Long.BYTES, other.lo());
      InboxLayout.publish(inboxOfKilled, InboxLayout.MAGIC_AT, InboxLayout.MAGIC);
      publish(fd, other);
      assertThat(sender.send(datagram, 64, Endpoint.routeTo(Gids.gid(other)), 0)).isTrue();
      // As the kernel does for a process that it ends: the lock goes with descriptor and mapping.
      SharedMemoryNative.close(fd);
    }
    Inbox ofSuccessor = new Inbox();
    try (SharedMemoryLink successor =
        SharedMemoryLink.open(rendezvous, other, ofSuccessor, false)) {
      sender.send(datagram, 64, Endpoint.routeTo(successor), 100 * MILLISECOND);
      ofSuccessor.expect(successor, 1);
    }
  }

  @Test
  void theSizeOfAnInboxCannotBeChanged() {
    int fd = SharedMemoryNative.open(rendezvous.name(address));
    try {
      assertThat(fd).isNotNegative();
      assertThat(SharedMemoryNative.truncate(fd, 0)).isNegative();
    } finally {
      SharedMemoryNative.close(fd);
    }
  }

  @Test
  void aMemberOfAGroupThatHasDiedIsForgotten() throws IOException {
    Gid group = Endpoint.unusedGroup();
    Address dead = Gids.address(Endpoint.unused());
    rendezvous.join(Gids.address(group), dead);
    Endpoint.join(link, group);

    int sent = 0;
    long start = System.nanoTime();
    // A sender does not wait for another one that is changing names.
    while (rendezvous.members(Gids.address(group)).contains(dead)) {
      assertThat(System.nanoTime() - start).isLessThan(10_000 * MILLISECOND);
      assertThat(sender.send(datagram, 64, Endpoint.routeTo(group), 0)).isTrue();
      sent++;
      inbox.expect(link, sent);
    }

    assertThat(sent).isPositive();
    assertThat(rendezvous.members(Gids.address(group))).containsExactly(link.address());
  }

  @Test
  void addressesWithoutInboxDisplaceNoOpenOne() {
    send(0);
    for (int i = 0; i < 1100; i++) {
      Gid nobody = Gid.parse("127.255." + i / 250 + "." + (1 + i % 250));
      sender.send(datagram, 64, Endpoint.routeTo(nobody), 0);
    }
    send(0);
    try (Arena arena = Arena.ofConfined()) {
      long rings = InboxLayout.longAt(inboxOf(link, arena), InboxLayout.RINGS_AT);
      // A sender that comes back does not get a ring that was not read meanwhile.
      assertThat(Long.bitCount(rings)).isEqualTo(1);
    }
  }

  @Test
  void aFileThatNamesNoMemberHidesNone() throws IOException {
    Gid group = Endpoint.unusedGroup();
    Path members =
        Path.of(rendezvous.name(address)).resolveSibling("groups/" + Gids.address(group));
    Endpoint.join(sender, group);
    // Listed in an order that the file system decides.
    List<Path> strange = Stream.of("nobody", "1", "zz").map(members::resolve).toList();
    try {
      Files.createFile(strange.getFirst());
      Endpoint.join(link, group);
      Files.createFile(strange.get(1));
      Files.createFile(strange.get(2));
      sender.send(datagram, 64, Endpoint.routeTo(group), 0);
      inbox.expect(link, 1);
      ofSender.expect(sender, 1);
    } finally {
      for (Path file : strange) {
        Files.deleteIfExists(file);
      }
    }
  }

  private SharedMemoryLink open() {
    return SharedMemoryLink.open(rendezvous, Gids.address(Endpoint.unused()), new Inbox(), false);
  }

  /** All of an inbox, as another process could map it. */
  private MemorySegment inboxOf(SharedMemoryLink owner, Arena arena) {
    int fd = SharedMemoryNative.open(rendezvous.name(owner.address()));
    MemorySegment memory = SharedMemoryNative.map(arena, fd, 0, InboxLayout.INBOX_BYTES);
    SharedMemoryNative.close(fd);
    assertThat(memory).isNotNull();
    return memory;
  }

  /** The ring that the sender has, as another process could map it. */
  private MemorySegment ringOfSender(Arena arena) {
    send(0);
    inbox.expect(link, 1);
    return inboxOf(link, arena).asSlice(InboxLayout.ring(0), InboxLayout.RING_BYTES);
  }

  private void send(long now) {
    assertThat(sender.send(datagram, 64, Endpoint.routeTo(link), now)).isTrue();
  }

  private void publish(int fd, Address where) {
    try {
      assertThat(rendezvous.publish(where, fd)).isTrue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
