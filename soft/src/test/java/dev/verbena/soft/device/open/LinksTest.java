package dev.verbena.soft.device.open;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.soft.link.Inbox;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.local.MemoryLink;
import dev.verbena.soft.link.socket.FfmUdpLink;
import dev.verbena.soft.link.wrap.FaultLink;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.LinkKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class LinksTest {

  private static Link open(LinkKind kind, FaultSpec faults) {
    Gid address = Endpoint.unused();
    return Links.open(Gids.address(address), kind, faults, null, new Inbox(), () -> 0);
  }

  @Test
  void packetLinksAreInMemory() {
    try (Link link = open(LinkKind.PACKET, null)) {
      assertThat(link).isInstanceOf(MemoryLink.class);
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "asks for the link of Linux")
  void udpGoesBySystemCallsOnLinux() {
    for (LinkKind kind : new LinkKind[] {LinkKind.UDP, LinkKind.AUTO}) {
      try (Link link = open(kind, FaultSpec.NONE)) {
        assertThat(link).isInstanceOf(FfmUdpLink.class);
      }
    }
  }

  @Test
  void faultsAreInFront() {
    try (Link link = open(LinkKind.PACKET, FaultSpec.parse("drop:0.5"))) {
      assertThat(link).isInstanceOf(FaultLink.class);
    }
  }
}
