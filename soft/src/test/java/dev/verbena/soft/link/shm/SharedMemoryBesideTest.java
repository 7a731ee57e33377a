package dev.verbena.soft.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkContract;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.link.socket.FfmUdpLink;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Shared memory beside UDP: who waits for one waits for both. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
class SharedMemoryBesideTest extends LinkContract {
  /** Both links of a device. */
  private static final class Both extends ForwardingLink {
    private final Link network;

    private final SharedMemoryLink onHost;

    Both(Link network, LinkCounters counters) {
      this(network, SharedMemoryLink.beside(network, counters));
    }

    private Both(Link network, SharedMemoryLink onHost) {
      super(onHost);
      this.network = network;
      this.onHost = onHost;
    }

    @Override
    public void close() {
      inner.close();
      network.close();
    }
  }

  @Override
  protected Link open(Gid address, LinkCounters counters) {
    return new Both(FfmUdpLink.open(Gids.address(address), counters), counters);
  }

  @Test
  void aWaitEndsForADatagramOfEitherLink() {
    Both waiting = (Both) b;
    Inbox ofNetwork = new Inbox();
    // Without the bell, or the socket, each of these would hang.
    for (int i = 0; i < 20; i++) {
      assertThat(Endpoint.send(a, b, Endpoint.datagram(32, i))).isTrue();
      inboxB.expect(b, i + 1);
      assertThat(Endpoint.send(((Both) a).network, b, Endpoint.datagram(32, i))).isTrue();
      while (waiting.network.receive(ofNetwork, 1, 0) == 0) {
        b.await(Long.MAX_VALUE);
      }
    }
    assertThat(ofNetwork.mails).hasSize(20);
  }

  @Test
  void whoHasNoSharedMemoryIsNotReached() {
    assertThat(a.reaches(b.address(), 0)).isTrue();
    Gid gid = Endpoint.unused();
    try (Link other = FfmUdpLink.open(Gids.address(gid), inboxB)) {
      assertThat(a.reaches(other.address(), 0)).isFalse();
    }
    // At once, although the last look is not old.
    try (Link other = open(gid, inboxB)) {
      assertThat(a.reaches(other.address(), 0)).isTrue();
    }
    assertThat(a.reaches(Gids.address(gid), 0)).isFalse();
  }

  @Test
  void aDeviceWithNothingButSharedMemoryIsOfAnotherNetwork() {
    try (Link alone = SharedMemoryLink.open(b.address(), inboxB, false)) {
      assertThat(alone.reaches(a.address(), 0)).isFalse();
      assertThat(alone.reaches(b.address(), 0)).isTrue();
    }
  }

  @Test
  void aDeviceWithoutItsAddressIsNotFound() {
    assertThat(a.reaches(b.address(), 0)).isTrue();
    SharedMemoryLink gone = ((Both) b).onHost;
    gone.hide();
    assertThat(a.reaches(b.address(), 0)).isFalse();
    gone.show();
    assertThat(a.reaches(b.address(), 0)).isTrue();
  }

  @Test
  void onlyThePipeThatIsMeantIsOpened() {
    int number = ((Both) b).network.bell();
    long inode = Bell.inode(Bell.OWN_DESCRIPTORS, number);
    try (Bell bell = Bell.open(Bell.OWN_DESCRIPTORS, number, inode)) {
      assertThat(bell).isNotNull();
      bell.ring();
    }
    b.await(Long.MAX_VALUE);
    assertThat(Bell.open(Bell.OWN_DESCRIPTORS, number, inode + 1)).isNull();
    assertThat(Bell.open(Bell.OWN_DESCRIPTORS, number, 0)).isNull();
    int memory = SharedMemoryNative.create(1);
    try {
      assertThat(Bell.inode(Bell.OWN_DESCRIPTORS, memory)).as("of what is no pipe").isZero();
    } finally {
      SharedMemoryNative.close(memory);
    }
  }

  @Test
  void aNetworkWithoutABellIsRefused() {
    try (Link network = new MemoryNetwork().open(Gids.address(Endpoint.unused()), inboxA)) {
      assertThatThrownBy(() -> SharedMemoryLink.beside(network, inboxA))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP));
    }
  }
}
