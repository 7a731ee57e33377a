package dev.verbena.soft.link.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.KeptLog;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.verbs.Gid;
import java.lang.System.Logger;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A link that logs what it carries. */
class TraceLinkTest {
  private Link open(String address, LinkCounters counters) {
    Gid gid = Gid.parse(address);
    return MemoryNetwork.shared().open(Gids.address(gid), counters);
  }

  @Test
  void whereNobodyWantsTheLinesThereIsNothingInTheWay() {
    try (Link bare = open("10.9.2.1", new Inbox())) {
      assertThat(TraceLink.over(bare, new KeptLog().least(Logger.Level.DEBUG))).isSameAs(bare);
    }
  }

  @Test
  void whatIsNoPacketIsToldByItsLengthAndArrivesAllTheSame() {
    Inbox inbox = new Inbox();
    KeptLog log = new KeptLog();
    try (Link a = TraceLink.over(open("10.9.2.2", new Inbox()), log);
        Link b = TraceLink.over(open("10.9.2.3", inbox), log)) {
      MemorySegment datagram = Endpoint.datagram(3, 1);
      assertThat(Endpoint.send(a, b, datagram)).isTrue();
      inbox.expect(b, 1);
      assertThat(inbox.mails.getFirst().bytes()).isEqualTo(Endpoint.bytes(datagram));
    }
    assertThat(log.lines())
        .containsExactly(
            "TRACE 10.9.2.2: sent 3 bytes that are no RoCE packet -> 10.9.2.3",
            "TRACE 10.9.2.3: received 3 bytes that are no RoCE packet <- 10.9.2.2");
  }
}
