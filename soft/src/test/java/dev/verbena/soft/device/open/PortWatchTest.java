package dev.verbena.soft.device.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.LinkState;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

@Proves("S10.4")
class PortWatchTest {
  private final Gid gid = Gid.parse("10.1.2.3");
  private final ChangingLink link = new ChangingLink(gid);
  private final SoftPort port = new RocePort(gid, link, new Tally());
  private final List<EventType> events = new ArrayList<>();
  private final PortWatch watch = new PortWatch(link, port, events::add, () -> {});

  @Test
  void aLinkThatStaysAsItWasRaisesNothing() {
    watch.look();
    assertThat(events).isEmpty();
    assertThat(port.query().state()).isEqualTo(PortState.ACTIVE);
    assertThat(port.gidEntries("f")).hasSize(1);
  }

  @Test
  void anInterfaceThatGoesDownAndUpKeepsItsGid() {
    link.becomes(LinkState.DOWN);
    assertThat(events).containsExactly(EventType.PORT_ERR);
    assertThat(port.query().state()).isEqualTo(PortState.DOWN);
    assertThat(port.gid("f", 0)).isEqualTo(gid);
    link.becomes(LinkState.UP);
    assertThat(events).containsExactly(EventType.PORT_ERR, EventType.PORT_ACTIVE);
    assertThat(port.query().state()).isEqualTo(PortState.ACTIVE);
  }

  @Test
  void anAddressThatGoesEmptiesTheGidTableUntilItIsBack() {
    link.becomes(LinkState.NO_ADDRESS);
    assertThat(events).containsExactly(EventType.PORT_ERR, EventType.GID_CHANGE);
    assertThat(port.gid("f", 0)).isEqualTo(Gid.ZERO);
    assertThat(port.gidEntries("f")).isEmpty();
    refused(() -> port.gidEntry("f", 0), Errno.ENODATA);
    refused(() -> port.checkAddress("f", AhAttr.to(Gid.parse("10.1.2.4"))), Errno.EINVAL);
    events.clear();
    link.becomes(LinkState.UP);
    assertThat(events).containsExactly(EventType.GID_CHANGE, EventType.PORT_ACTIVE);
    assertThat(port.gid("f", 0)).isEqualTo(gid);
    port.checkAddress("f", AhAttr.to(Gid.parse("10.1.2.4")));
  }

  @Test
  void anInterfaceThatIsRemovedIsFatalToTheDevice() {
    link.becomes(LinkState.GONE);
    watch.look();
    assertThat(events)
        .containsExactly(EventType.PORT_ERR, EventType.GID_CHANGE, EventType.DEVICE_FATAL);
    events.clear();
    link.becomes(LinkState.DOWN);
    assertThat(events).containsExactly(EventType.GID_CHANGE);
    link.becomes(LinkState.NO_ADDRESS);
    link.becomes(LinkState.GONE);
    assertThat(events)
        .containsExactly(EventType.GID_CHANGE, EventType.GID_CHANGE, EventType.DEVICE_FATAL);
  }

  private static void refused(ThrowingCallable call, int errno) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(errno))
        .hasMessageContaining("10.1.2.3, which this computer no longer has");
  }

  /** A link whose state the test can change. */
  private final class ChangingLink extends ForwardingLink {
    private LinkState state = LinkState.UP;

    ChangingLink(Gid gid) {
      super(new MemoryNetwork().open(Gids.address(gid), (counter, count) -> {}));
    }

    void becomes(LinkState next) {
      state = next;
      watch.look();
    }

    @Override
    public LinkState state() {
      return state;
    }
  }
}
