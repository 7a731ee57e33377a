package dev.verbena.soft.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.local.MemoryNetwork;
import dev.verbena.soft.transport.Tally;
import dev.verbena.wire.Address;
import org.junit.jupiter.api.Test;

class TransmitterTest {
  private static final Address HERE = Address.ofIpv4(0x0A000001);
  private static final Address THERE = Address.ofIpv4(0x0A000002);
  private static final Address ELSEWHERE = Address.ofIpv4(0x0A000003);

  /** Says that as many packets may be in flight as the peer has said, in bytes. */
  private static final class EchoingLink extends ForwardingLink {
    EchoingLink() {
      super(new MemoryNetwork().open(HERE, (counter, count) -> {}));
    }

    @Override
    public int mostInFlightOf(int charge, int largest, int peerBuffer) {
      return peerBuffer;
    }

    @Override
    public int receiveBuffer() {
      return 1 << 20;
    }
  }

  private final Tally tally = new Tally();
  private final Transmitter transmitter =
      new Transmitter(
          new TxPort(
              new EchoingLink(),
              RankedGuard.make(Rank.LINK_TX),
              () -> 0,
              new Schedule(() -> 0, new Failures("test", tally))),
          null,
          new Listeners(),
          tally);

  private void connect(Address to) {
    transmitter.connect(new Route(to, 0, 64, 0), false, false);
  }

  @Test
  void whatThePeerSaysOfItsBufferDecidesWhatMayBeInFlightUntilThereIsAnotherPeer() {
    connect(THERE);
    assertThat(transmitter.mostInFlightOf(100, 64)).isZero();
    transmitter.peerHas(4096);
    assertThat(transmitter.mostInFlightOf(100, 64)).isEqualTo(4096);
    transmitter.peerHas(8192);
    assertThat(transmitter.mostInFlightOf(100, 64)).isEqualTo(8192);
    connect(ELSEWHERE);
    assertThat(transmitter.mostInFlightOf(100, 64)).isZero();
  }

  @Test
  void onlyAPeerLikeThisDeviceIsToldAboutTheBuffer() {
    connect(THERE);
    assertThat(transmitter.receiveBuffer()).isZero();
    transmitter.peerIsAlike(true);
    assertThat(transmitter.receiveBuffer()).isEqualTo(1 << 20);
    connect(ELSEWHERE);
    assertThat(transmitter.receiveBuffer()).isZero();
  }
}
