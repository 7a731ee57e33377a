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

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "asks for links of Linux")
  void faultsLeaveALinkItsRunsAndLongPackets() {
    FaultSpec faults = FaultSpec.parse("drop:0.1,dup:0.1,reorder:0.1,delay:0.1");
    for (LinkKind kind : new LinkKind[] {LinkKind.UDP, LinkKind.SHM}) {
      try (Link plain = open(kind, null);
          Link faulty = open(kind, faults)) {
        assertThat(faulty.mostSegments()).isEqualTo(plain.mostSegments());
        assertThat(faulty.longPayload()).isEqualTo(plain.longPayload());
        assertThat(faulty.needsIcrc()).isEqualTo(plain.needsIcrc());
        assertThat(faulty.exports()).as("messages without packets").isNull();
      }
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "asks for a link of Linux")
  void whereFaultsDamagePacketsEachHasAnIcrc() {
    try (Link link = open(LinkKind.SHM, FaultSpec.parse("drop:0.1,corrupt:0.1"))) {
      assertThat(link.needsIcrc()).isTrue();
      assertThat(link.longPayload()).isZero();
    }
  }
}
