package dev.verbena.soft.engine.qp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.engine.qp.PathChooser.Reach;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.Tally;
import dev.verbena.wire.Address;
import org.junit.jupiter.api.Test;

class LoopbackOrPacketsTest {
  private static final Address HERE = new Address(7, 1);
  private static final Address ELSEWHERE = new Address(7, 2);

  private static final String WHY = "of a test";

  private final Fabric fabric = new Fabric();
  private final Host host = new Located(HERE);

  /** An engine of which only the address matters. */
  private record Located(Address address) implements Host {
    @Override
    public Exports exports() {
      throw new AssertionError();
    }

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

  private static Route to(Address destination) {
    return new Route(destination, 0, 64, 0);
  }

  @Test
  void whoTakesPartInTheLoopbackIsReachedByCallsAndMissesNoAnswer() {
    fabric.enter(host);
    fabric.join(host);
    LoopbackOrPackets chooser = new LoopbackOrPackets(fabric, true, HERE, null, WHY);
    Reach reach = chooser.reach(to(HERE));
    assertThat(reach).isEqualTo(new Reach(false, false));
    assertThat(reach.mayMissAnswers()).isFalse();
    assertThat(chooser.neighbor(to(HERE))).isSameAs(host);
    assertThat(chooser.neighbors()).containsExactly(host);
  }

  @Test
  void whoIsOfThisProcessButNotOnTheLoopbackGetsPacketsAndMissesNoAnswer() {
    fabric.enter(host);
    Reach reach = new LoopbackOrPackets(fabric, true, HERE, null, WHY).reach(to(HERE));
    assertThat(reach).isEqualTo(new Reach(true, false));
    assertThat(reach.mayMissAnswers()).isFalse();
    fabric.join(host);
    LoopbackOrPackets packetsOnly = new LoopbackOrPackets(fabric, false, HERE, null, WHY);
    assertThat(packetsOnly.reach(to(HERE))).isEqualTo(new Reach(true, false));
    assertThat(packetsOnly.neighbors()).isEmpty();
  }

  @Test
  void whoIsElsewhereGetsPacketsAndMayMissAnswers() {
    fabric.enter(host);
    fabric.join(host);
    LoopbackOrPackets chooser = new LoopbackOrPackets(fabric, true, HERE, null, WHY);
    Reach reach = chooser.reach(to(ELSEWHERE));
    assertThat(reach).isEqualTo(new Reach(true, true));
    assertThat(reach.mayMissAnswers()).isTrue();
    assertThat(chooser.neighbor(to(ELSEWHERE))).isNull();
  }
}
