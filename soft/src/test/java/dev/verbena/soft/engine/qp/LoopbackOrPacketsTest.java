package dev.verbena.soft.engine.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.engine.qp.PathChooser.Reach;
import dev.verbena.soft.engine.tx.TxPort;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.Tally;
import dev.verbena.wire.Address;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopbackOrPacketsTest {
  private static final Address HERE = new Address(7, 1);
  private static final Address ELSEWHERE = new Address(7, 2);
  private static final Address FAR = new Address(7, 3);

  private final Fabric fabric = new Fabric();
  private final Host host = new Located(HERE);

  /** An engine of which only the address matters. */
  private record Located(Address address) implements Host {
    @Override
    public Clock clock() {
      throw new AssertionError();
    }

    @Override
    public Tally tally() {
      throw new AssertionError();
    }

    @Override
    public Multicast multicast() {
      throw new AssertionError();
    }

    @Override
    public QpRuntime find(int qpNum) {
      throw new AssertionError();
    }

    @Override
    public void quiesceAnswers(Domain domain) {}

    @Override
    public void neighborLeaves(Address neighbor) {}
  }

  /** Sends by a network that knows these addresses. */
  private static TxPort port(Address... known) {
    Link link = new MemoryNetwork().open(known[0], (counter, count) -> {});
    Link knowing =
        new ForwardingLink(link) {
          @Override
          public boolean reaches(Address address, long now) {
            return List.of(known).contains(address);
          }
        };
    Failures failures = new Failures("test", new Tally());
    Schedule schedule = new Schedule(() -> 0, failures);
    return new TxPort(knowing, RankedGuard.make(Rank.LINK_TX), () -> 0, schedule);
  }

  private static Route to(Address destination) {
    return new Route(destination, 0, 64, 0);
  }

  @Test
  void whoTakesPartInTheLoopbackIsReachedByCallsAndMissesNoAnswer() {
    fabric.enter(host);
    fabric.join(host);
    LoopbackOrPackets chooser = new LoopbackOrPackets(fabric, true, HERE, port(HERE), null);
    Reach reach = chooser.reach(to(HERE));
    assertThat(reach).isEqualTo(new Reach(false, false, false, null));
    assertThat(reach.mayMissAnswers()).isFalse();
    assertThat(chooser.neighbor(to(HERE))).isSameAs(host);
    assertThat(chooser.neighbors()).containsExactly(host);
  }

  @Test
  void whoIsOfThisProcessButNotOnTheLoopbackGetsPacketsAndMissesNoAnswer() {
    fabric.enter(host);
    Reach reach = new LoopbackOrPackets(fabric, true, HERE, port(HERE), null).reach(to(HERE));
    assertThat(reach).isEqualTo(new Reach(true, false, false, null));
    assertThat(reach.mayMissAnswers()).isFalse();
    fabric.join(host);
    LoopbackOrPackets packetsOnly = new LoopbackOrPackets(fabric, false, HERE, port(HERE), null);
    assertThat(packetsOnly.reach(to(HERE))).isEqualTo(new Reach(true, false, false, null));
    assertThat(packetsOnly.neighbors()).isEmpty();
  }

  @Test
  void whoIsOnTheHostIsReachedWithoutTheNetwork() {
    LoopbackOrPackets chooser =
        new LoopbackOrPackets(fabric, true, HERE, port(HERE), port(HERE, ELSEWHERE));
    Reach reach = chooser.reach(to(ELSEWHERE));
    assertThat(reach).isEqualTo(new Reach(true, true, true, null));
    assertThat(reach.mayMissAnswers()).isTrue();
    assertThat(chooser.reach(to(FAR))).isEqualTo(new Reach(true, false, true, null));
  }

  @Test
  void whoIsElsewhereGetsPacketsAndMayMissAnswers() {
    fabric.enter(host);
    fabric.join(host);
    LoopbackOrPackets chooser = new LoopbackOrPackets(fabric, true, HERE, port(HERE), null);
    Reach reach = chooser.reach(to(ELSEWHERE));
    assertThat(reach).isEqualTo(new Reach(true, false, true, null));
    assertThat(reach.mayMissAnswers()).isTrue();
    assertThat(chooser.neighbor(to(ELSEWHERE))).isNull();
  }
}
