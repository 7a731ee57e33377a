package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the values of a path, of its copies and of its reverse. */
class IbPathTest {
  private static final Gid FAR = Gid.parse("fe80::7");

  private final EndPort port = Ports.infiniBand();

  private IbPath.Builder uneven() {
    return IbPath.builder(port)
        .dgid(FAR)
        .sgid(Ports.GID)
        .dlid(4)
        .slid(0x81)
        .dqpn(5)
        .sqpn(6)
        .dackRespTime(7)
        .sackRespTime(8)
        .dqpsn(9)
        .sqpsn(10)
        .drdatomic(11)
        .srdatomic(12)
        .sl(3)
        .retries(7)
        .minRnrTimer(13)
        .qkey(0x80010000)
        .hopLimit(2);
  }

  @Test
  @Proves("PY-067")
  void aPathThatSetsNothingHasTheDefaults() {
    IbPath path = IbPath.builder().build();
    assertThat(List.of(path.dlid(), path.slid(), path.sl())).containsOnly(0);
    assertThat(path.pkey()).isEqualTo(0xffff);
    assertThat(path.hasGrh()).isFalse();
    assertThat(path.mtu()).isEqualTo(Mtu.MTU_256);
    assertThat(path.rate()).isEqualTo(Rate.RATE_2_5);
    assertThat(path.hopLimit()).isZero();
    assertThat(List.of(path.respTime(), path.dackRespTime(), path.sackRespTime())).containsOnly(20);
    assertThat(List.of(path.dqpsn(), path.sqpsn(), path.retries(), path.minRnrTimer()))
        .containsOnly(0);
    assertThat(List.of(path.drdatomic(), path.srdatomic())).containsOnly(255);
    assertThat(path.dgid()).isEqualTo(Gid.ZERO);
    assertThat(path.hasEndPort()).isFalse();
    assertThatThrownBy(path::endPort).hasMessageContaining("this path has no end port");
  }

  @Test
  @Proves("PY-060")
  void reverseExchangesTheSides() {
    IbPath path = uneven().build();
    IbPath reversed = path.reverse(false);
    assertThat(reversed)
        .isEqualTo(
            uneven()
                .dgid(Ports.GID)
                .sgid(FAR)
                .dlid(0x81)
                .slid(4)
                .dqpn(6)
                .sqpn(5)
                .dackRespTime(8)
                .sackRespTime(7)
                .dqpsn(10)
                .sqpsn(9)
                .drdatomic(12)
                .srdatomic(11)
                .build());
    assertThat(reversed.reverse(false)).isEqualTo(path);
  }

  @Test
  @Proves("PY-060")
  void aReplyHasAllHopsIfItHasAGlobalRoute() {
    assertThat(uneven().build().reverse().hopLimit()).isEqualTo(2);
    assertThat(uneven().hasGrh(true).build().reverse().hopLimit()).isEqualTo(255);
    assertThat(uneven().hasGrh(true).build().reverse(true).hopLimit()).isEqualTo(255);
    assertThat(uneven().hasGrh(true).build().reverse(false).hopLimit()).isEqualTo(2);
  }

  @Test
  @Proves("PY-060")
  void reverseExchangesTheWaysThereAndBack() {
    IbPath there = uneven().dlid(41).build();
    IbPath back = uneven().dlid(42).build();
    IbPath reversed = uneven().forwardPath(there).returnPath(back).build().reverse(false);
    assertThat(reversed.forwardPath().dlid()).isEqualTo(42);
    assertThat(reversed.returnPath().dlid()).isEqualTo(41);
  }

  @Test
  @Proves("PY-066")
  void aWayThatIsNotSetIsThePathItself() {
    IbPath path = uneven().build();
    assertThat(path.forwardPath()).isSameAs(path);
    assertThat(path.returnPath()).isSameAs(path);
  }

  @Test
  @Proves("PY-066")
  void aWayThatIsSetHasTheEndPortAndTheQueuePairsTerms() {
    IbPath way = IbPath.builder().dlid(41).sl(9).dqpn(1).qkey(1).retries(1).build();
    IbPath path = uneven().forwardPath(way).returnPath(way.copy(b -> b.dlid(42))).build();
    assertThat(path.forwardPath())
        .isEqualTo(
            uneven().dgid(Gid.ZERO).sgid(Gid.ZERO).slid(0).hopLimit(0).dlid(41).sl(9).build());
    assertThat(path.returnPath().dlid()).isEqualTo(42);
    assertThat(path.returnPath().qkey()).isEqualTo(0x80010000);
  }

  @Test
  @Proves("PY-065")
  void aCopyHasAllButWhatIsChanged() {
    IbPath path = uneven().build();
    IbPath copy = path.copy(changed -> changed.dlid(77));
    assertThat(copy).isEqualTo(uneven().dlid(77).build()).isNotEqualTo(path);
    assertThat(copy.endPort()).isSameAs(port);
    assertThat(path.dlid()).isEqualTo(4);
    assertThat(path.copy(same -> {})).isEqualTo(path).hasSameHashCodeAs(path).isNotSameAs(path);
  }

  @Test
  @Proves("PY-068")
  void onInfiniBandACompletePathHasLidsAndPerhapsAGlobalRoute() {
    IbPath local = IbPath.builder(port).dlid(4).slid(0x80).build();
    assertThat(local.complete()).isTrue();
    assertThat(local.copy(b -> b.dlid(0)).complete()).isFalse();
    assertThat(local.copy(b -> b.slid(0)).complete()).isFalse();
    IbPath global = local.copy(b -> b.hasGrh(true).dgid(FAR).sgid(Ports.GID));
    assertThat(global.complete()).isTrue();
    assertThat(global.copy(b -> b.dgid(Gid.ZERO)).complete()).isFalse();
    assertThat(global.copy(b -> b.sgid(Gid.ZERO)).complete()).isFalse();
    assertThat(global.copy(b -> b.dlid(0)).complete()).isFalse();
  }

  @Test
  @Proves("PY-068")
  void onEthernetACompletePathHasAGlobalRoute() {
    IbPath path = IbPath.builder(Ports.ethernet()).hasGrh(true).dgid(FAR).sgid(Ports.GID).build();
    assertThat(path.complete()).isTrue();
    assertThat(path.copy(b -> b.hasGrh(false)).complete()).isFalse();
    assertThat(path.copy(b -> b.hasGrh(false).dlid(1).slid(2)).complete()).isFalse();
    assertThat(path.copy(b -> b.sgid(Gid.ZERO)).complete()).isFalse();
  }

  @Test
  @Proves("PY-068")
  void ofAPathWithoutEndPortEitherWillDo() {
    IbPath global = IbPath.builder().hasGrh(true).dgid(FAR).sgid(Ports.GID).build();
    assertThat(global.complete()).isTrue();
    assertThat(IbPath.builder().dlid(1).slid(2).build().complete()).isTrue();
    assertThat(IbPath.builder().dlid(1).build().complete()).isFalse();
  }

  @Test
  @Proves("PY-069")
  void indicesAndPathBitsAreThoseOfTheEndPort() {
    IbPath path = IbPath.builder(port).sgidIndex(2).pkeyIndex(1).slidBits(0x15).dlidBits(3).build();
    assertThat(path.sgid()).isEqualTo(Ports.SECOND_GID);
    assertThat(path.sgidIndex()).isEqualTo(2);
    assertThat(path.pkey()).isEqualTo(0x1234);
    assertThat(path.pkeyIndex()).isEqualTo(1);
    assertThat(path.slid()).isEqualTo(0x95);
    assertThat(path.slidBits()).isEqualTo(0x15);
    assertThat(path.dlid()).isEqualTo(0x83);
    assertThat(path.dlidBits()).isEqualTo(3);
    assertThat(IbPath.builder(port).build().sgidIndex()).isZero();
    EndPort narrow = Ports.infiniBand(0x80, 2);
    assertThat(IbPath.builder(narrow).dlidBits(3).build().dlid()).isEqualTo(0x83);
    assertThatThrownBy(() -> IbPath.builder(narrow).dlidBits(4))
        .hasMessageStartingWith(
            "ibPath: DLID bits 4 do not fit into the 2 bits (LMC) of hca0/2 (EINVAL");
    assertThatThrownBy(() -> IbPath.builder(narrow).slidBits(-1))
        .hasMessageStartingWith(
            "ibPath: SLID bits -1 do not fit into the 2 bits (LMC) of hca0/2 (EINVAL");
  }

  @Test
  void theWayBackHasNoDirectedRoute() {
    IbPath path = IbPath.builder(port).dlid(0xffff).drPath(List.of(0, 1, 4)).build();
    assertThat(path.reverse().drPath()).isEmpty();
    assertThat(path.copy(b -> b.sl(1)).drPath()).containsExactly(0, 1, 4);
  }

  @Test
  @Proves("PY-069")
  void whatTheEndPortDoesNotHaveHasNoIndex() {
    assertThatThrownBy(() -> IbPath.builder(port).sgid(FAR).build().sgidIndex())
        .hasMessageStartingWith("gidIndex: GID fe80::7 is not in the table of hca0/2 (ENOENT");
    assertThatThrownBy(() -> IbPath.builder(port).pkey(0x7777).build().pkeyIndex())
        .hasMessageStartingWith("pkeyIndex: P_Key 0x7777 is not in the table of hca0/2 (ENOENT");
    assertThatThrownBy(() -> IbPath.builder(port).sgidIndex(3))
        .hasMessageContaining("GID index 3, the table has 3 entries from 0");
    assertThatThrownBy(() -> IbPath.builder(port).pkeyIndex(-1))
        .hasMessageContaining("P_Key index -1, the table has 2 entries from 0");
    assertThatThrownBy(() -> IbPath.builder().pkeyIndex(0)).hasMessageContaining("no end port");
  }

  @Test
  @Proves("PY-070")
  void thePacketLifeTimeIsTheSubnetsUnlessThePathSaysIt() {
    assertThat(IbPath.builder(port).build().packetLifeTime()).isEqualTo(17);
    assertThat(IbPath.builder(port).packetLifeTime(3).build().packetLifeTime()).isEqualTo(3);
    assertThat(IbPath.builder(port).packetLifeTime(0).build().packetLifeTime()).isZero();
    assertThat(IbPath.builder(Ports.ethernet()).build().packetLifeTime()).isEqualTo(18);
    assertThat(IbPath.builder().build().packetLifeTime()).isEqualTo(18);
  }

  @Test
  @Proves("PY-070")
  void timeoutsAreTwiceTheLifeTimeAndTheWorkOfTheOtherEnd() {
    IbPath path = IbPath.builder().packetLifeTime(10).respTime(4).dackRespTime(5).build();
    assertThat(path.madTimeout()).isEqualTo(Duration.ofNanos(4096 * (2 * 1024 + 16)));
    assertThat(path.qpTimeout()).isEqualTo(Duration.ofNanos(4096 * (2 * 1024 + 32)));
    assertThat(path.copy(b -> b.packetLifeTime(62)).qpTimeout().toDays())
        .isGreaterThan(400_000_000);
  }

  @Test
  void aNumberOutOfRangeIsRefusedWithTheNameOfTheAttributeAndItsLimits() {
    assertThatThrownBy(() -> IbPath.builder().dlid(0x10000))
        .isInstanceOf(VerbsException.class)
        .hasMessageStartingWith("ibPath: DLID 65536: it takes 0 to 65535 (EINVAL");
    assertThatThrownBy(() -> IbPath.builder().dqpn(-1)).hasMessageContaining("dqpn -1");
    assertThatThrownBy(() -> IbPath.builder().retries(8)).hasMessageContaining("it takes 0 to 7");
    assertThatThrownBy(() -> IbPath.fromSpecString("IBPath(MTU=6)"))
        .hasMessageContaining("MTU 6: it takes 1 (256 bytes) to 5 (4096 bytes)");
    assertThatThrownBy(() -> IbPath.fromSpecString("IBPath(rate=1)"))
        .hasMessageContaining("rate 1: it takes the number of an ibv_rate");
    assertThatThrownBy(() -> IbPath.builder().drPath(List.of(0, 256)))
        .hasMessageContaining("directed route [0, 256]");
  }

  @Test
  @Proves("PY-057")
  void theEndPortOfADeviceIsTheOneWithTheSourceAddress() {
    IbPath path = IbPath.builder().sgid(Ports.SECOND_GID).build();
    assertThat(path.withEndPort(port.device()).endPort().portId()).isEqualTo(1);
    assertThat(IbPath.builder().slid(0xff).build().withEndPort(port.device()).hasEndPort())
        .isTrue();
    assertThatThrownBy(() -> IbPath.builder().slid(0x100).build().withEndPort(port.device()))
        .hasMessageContaining("no port of hca0 has LID 256");
    assertThatThrownBy(() -> path.copy(b -> b.sgid(FAR)).withEndPort(port.device()))
        .hasMessageContaining("no port of hca0 has GID fe80::7");
  }
}
