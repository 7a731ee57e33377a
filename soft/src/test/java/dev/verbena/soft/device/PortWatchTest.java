package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.MemoryNetwork;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortWatchTest {
  private final Gid gid = Gid.parse("10.1.2.3");
  private final Link link =
      new MemoryNetwork().open(gid.subnetPrefix(), gid.interfaceId(), (counter, count) -> {});
  private final SoftPort port = new SoftPort(gid, link, new Tally());
  private final List<EventType> events = new ArrayList<>();
  private boolean hasAddress = true;
  private boolean canTell = true;
  private final PortWatch watch = new PortWatch(link, this::hasAddress, events::add);

  private boolean hasAddress() {
    if (!canTell) {
      throw new VerbsException("queryGidEx", Errno.EIO, "no descriptors are left");
    }
    return hasAddress;
  }

  @Test
  void aLinkThatStaysAsItWasRaisesNothing() {
    watch.look();
    assertThat(events).isEmpty();
    assertThat(port.query().state()).isEqualTo(PortState.ACTIVE);
  }

  @Test
  void aLinkThatGoesRaisesPortErrOnce() {
    link.close();
    watch.look();
    watch.look();
    assertThat(events).containsExactly(EventType.PORT_ERR);
    assertThat(port.query().state()).isEqualTo(PortState.DOWN);
  }

  @Test
  @Proves("S10.4")
  void anAddressThatGoesAfterItsInterfaceIsNoticedToo() {
    link.close();
    watch.look();
    hasAddress = false;
    watch.look();
    watch.look();
    hasAddress = true;
    watch.look();
    assertThat(events)
        .containsExactly(EventType.PORT_ERR, EventType.GID_CHANGE, EventType.GID_CHANGE);
  }

  @Test
  void whatCannotBeToldHasNotChanged() {
    canTell = false;
    watch.look();
    hasAddress = false;
    canTell = true;
    assertThat(events).isEmpty();
    watch.look();
    assertThat(events).containsExactly(EventType.GID_CHANGE);
  }
}
