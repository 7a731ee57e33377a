package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.path.Paths;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests what this side's queue pair, and a network without administrator, add to a path. */
class PathsTest {
  private final QueuePair qp = PathPeer.qp(QpType.RC, 0x11).queuePair();
  private final IbPath bare = IbPath.builder(Ports.infiniBand()).build();

  @Test
  @Proves("PY-059")
  void fillPathAddsWhatTheQueuePairAndItsDeviceSay() {
    IbPath path = Paths.fillPath(qp, bare);
    assertThat(path.sqpn()).isEqualTo(0x11);
    assertThat(path.sackRespTime()).isEqualTo(PathPeer.ACK_DELAY);
    assertThat(path.dackRespTime()).isEqualTo(20);
    assertThat(path.srdatomic()).isEqualTo(PathPeer.MAX_INITIATOR);
    assertThat(path.drdatomic()).isEqualTo(PathPeer.MAX_TARGET);
    assertThat(path.endPort()).isSameAs(bare.endPort());
  }

  @Test
  @Proves("PY-059")
  void readsAndAtomicsAreTheLeastOfPathDeviceAndArgument() {
    IbPath path = bare.copy(b -> b.srdatomic(1).drdatomic(3));
    assertThat(Paths.fillPath(qp, path).srdatomic()).isEqualTo(1);
    assertThat(Paths.fillPath(qp, path).drdatomic()).isEqualTo(3);
    assertThat(Paths.fillPath(qp, path, 2).srdatomic()).isEqualTo(1);
    assertThat(Paths.fillPath(qp, path, 2).drdatomic()).isEqualTo(2);
    assertThat(Paths.fillPath(qp, path, 0).srdatomic()).isZero();
  }

  @Test
  @Proves("PY-059")
  void startPsnsAreDrawnOfAll24BitsWhereThereAreNone() {
    IbPath path = Paths.fillPath(qp, bare.copy(b -> b.sqpsn(7)));
    assertThat(path.sqpsn()).isEqualTo(7);
    assertThat(Paths.fillPath(qp, bare.copy(b -> b.dqpsn(8))).dqpsn()).isEqualTo(8);
    Set<Integer> drawn = new HashSet<>();
    int bits = 0;
    for (int i = 0; i < 100; i++) {
      IbPath filled = Paths.fillPath(qp, bare);
      drawn.add(filled.sqpsn());
      drawn.add(filled.dqpsn());
      bits |= filled.sqpsn();
      assertThat(filled.sqpsn()).isPositive();
      assertThat(filled.dqpsn()).isPositive();
    }
    assertThat(drawn).hasSizeGreaterThan(190);
    assertThat(bits).isEqualTo(0xffffff);
  }

  @Test
  @Proves("PY-050")
  void onEthernetAPathIsResolvedByItsPort() {
    EndPort port = Ports.ethernet();
    Gid far = Gid.parse("10.77.0.2");
    IbPath path = Paths.resolveLocally(IbPath.builder(port).dgid(far).trafficClass(8).build());
    assertThat(path)
        .isEqualTo(
            IbPath.builder(port)
                .dgid(far)
                .sgid(Gid.parse("10.77.0.1"))
                .hasGrh(true)
                .hopLimit(64)
                .trafficClass(8)
                .mtu(Mtu.MTU_1024)
                .rate(Rate.RATE_10)
                .packetLifeTime(16)
                .build());
    assertThat(path.complete()).isTrue();
    IbPath own = path.copy(b -> b.hopLimit(3).sgid(far));
    assertThat(Paths.resolveLocally(own).hopLimit()).isEqualTo(3);
    assertThat(Paths.resolveLocally(own).sgid()).isEqualTo(far);
  }

  @Test
  void aGroupOnEthernetIsReachedOnTheLocalLink() {
    IbPath group = IbPath.builder(Ports.ethernet()).dgid(Gid.parse("239.1.2.3")).build();
    assertThat(Paths.resolveLocally(group).hopLimit()).isEqualTo(1);
  }

  @Test
  void whatOnlyAnAdministratorKnowsIsNotResolvedLocally() {
    assertThatThrownBy(() -> Paths.resolveLocally(bare))
        .hasMessageStartingWith(
            "resolvePath: hca0/2 is on INFINIBAND: its subnet administrator knows paths"
                + " (EOPNOTSUPP");
    IbPath nowhere = IbPath.builder(Ports.ethernet()).build();
    assertThatThrownBy(() -> Paths.resolveLocally(nowhere))
        .hasMessageContaining("needs a destination GID");
  }

  @Test
  void aPathFromAPortHasWhatThePortCanDo() {
    EndPort port = Ports.infiniBand();
    assertThat(Paths.from(port))
        .isEqualTo(
            IbPath.builder(port)
                .sgid(Ports.GID)
                .slid(0x80)
                .mtu(Mtu.MTU_2048)
                .rate(Rate.RATE_100)
                .retries(7)
                .minRnrTimer(12)
                .build());
  }
}
