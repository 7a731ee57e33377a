package dev.verbena.tck.infiniband;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.tck.kit.Addresses;
import dev.verbena.tck.kit.Events;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.verbs.AsyncEvent;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.EndPort;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.spi.Subnet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Changes by a subnet manager, and how programs learn of them. */
final class SubnetChangeTest {
  private static final AtomicInteger FREE = new AtomicInteger(0xbf00);

  @Test
  void aPortIsToldOfItsNewLidInEveryContext() throws InterruptedException {
    String spec = "ib:" + Addresses.next() + "?lmc=1";
    try (Context context = Devices.open(spec);
        Context again = Devices.open(spec);
        Context other = Devices.open("ib:" + Addresses.next())) {
      Subnet subnet = Subnet.of(context);
      long guid = context.queryGid(1, 0).interfaceId();
      int before = context.queryPort(1).lid();
      int lid = free();
      subnet.assignLid(guid, lid);
      for (Context each : List.of(context, again)) {
        AsyncEvent event = Events.await(each, EventType.LID_CHANGE);
        assertThat(event.portNum()).isEqualTo(1);
        event.ack();
        assertThat(each.queryPort(1).lid()).isEqualTo(lid).isNotEqualTo(before);
      }
      Refused.of(() -> subnet.assignLid(guid, other.queryPort(1).lid() & ~1), Errno.EINVAL)
          .naming("another port");
      Refused.of(() -> subnet.assignLid(guid, lid + 1), Errno.EINVAL).naming("2^lmc=2");
      Refused.of(() -> subnet.assignLid(guid, 0xc000), Errno.EINVAL).naming("0xbfff");
      Refused.of(() -> subnet.assignLid(guid, 0), Errno.EINVAL);
      Refused.of(() -> subnet.assignLid(2, lid), Errno.EINVAL).naming("GUID 0x2");
    }
  }

  /** A LID from the end, which assignment in order does not reach. */
  private static int free() {
    return FREE.addAndGet(-2);
  }

  @OnEveryLink(of = LinkLayer.INFINIBAND)
  void aPortThatHasMovedIsFoundUnderItsNewLid(TckLink link) {
    try (Nodes nodes = Nodes.on(link, QpType.UD)) {
      QpEnd from = nodes.open(0);
      QpEnd to = nodes.open(0);
      Subnet subnet = Subnet.of(to.context());
      int lid = free();
      subnet.assignLid(to.gid().interfaceId(), lid);
      nodes.deliver(from, to, Nodes.lid(lid));
      assertThat(nodes.deliver(to, from, Nodes.lid(Nodes.lidOf(from))).slid()).isEqualTo(lid);
    }
  }

  @Test
  void aPortIsToldOfItsNewPkeys() throws InterruptedException {
    try (Context context = Devices.open("ib:" + Addresses.next())) {
      Subnet subnet = Subnet.of(context);
      long guid = context.queryGid(1, 0).interfaceId();
      subnet.assignPkeys(guid, List.of(0xffff, 0x8007));
      Events.await(context, EventType.PKEY_CHANGE).ack();
      assertThat(context.queryPkey(1, 1)).isEqualTo(0x8007);
      assertThat(context.queryPkey(1, 2)).isZero();
      Refused.of(() -> subnet.assignPkeys(guid, List.of(0x10000)), Errno.EINVAL).naming("0xffff");
      Refused.of(() -> subnet.assignPkeys(guid, Collections.nCopies(33, 1)), Errno.EINVAL)
          .naming("33", "32");
    }
  }

  @Test
  void anEndPortThatIsToldOfAChangeHasTheNewValues() throws InterruptedException {
    try (Context context = Devices.open("ib:" + Addresses.next())) {
      EndPort port = context.endPort();
      Subnet subnet = Subnet.of(context);
      long guid = context.queryGid(1, 0).interfaceId();
      assertThat(port.lid()).isEqualTo(context.queryPort(1).lid());
      assertThat(port.pkeys().getFirst()).isEqualTo(0xffff);
      int lid = free();
      subnet.assignLid(guid, lid);
      Events.await(context, EventType.LID_CHANGE).ack();
      port.lidChange();
      assertThat(port.lid()).isEqualTo(lid);
      subnet.assignPkeys(guid, List.of(0xffff, 0x8009));
      Events.await(context, EventType.PKEY_CHANGE).ack();
      port.pkeyChange();
      assertThat(port.pkeys()).startsWith(0xffff, 0x8009);
    }
  }

  @Test
  void whatIsOnNoSubnetHasNone() {
    try (Context ethernet = Devices.open(TckLink.firstOnEthernet().device())) {
      Refused.of(() -> Subnet.of(ethernet), Errno.EOPNOTSUPP).naming("ib:NAME");
    }
  }
}
