package dev.verbena.soft.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.transport.CongestionControl;
import dev.verbena.wire.Address;
import org.junit.jupiter.api.Test;

class PeerWindowsTest {
  private static final Address DESTINATION = new Address(7, 1);

  private final PeerWindows windows = new PeerWindows();

  @Test
  void queuePairsToOneDestinationShareIt() {
    CongestionControl one = windows.to(DESTINATION);
    CongestionControl other = windows.to(new Address(7, 1));
    one.limit(40);
    assertThat(other.limit(40)).isEqualTo(20);
    assertThat(windows.to(new Address(7, 2)).limit(40)).isEqualTo(40);
    assertThat(windows.to(new Address(8, 1)).limit(40)).isEqualTo(40);
  }

  @Test
  void whatWasHeardOfADestinationIsForgottenWithItsLastQueuePair() {
    CongestionControl one = windows.to(DESTINATION);
    CongestionControl other = windows.to(DESTINATION);
    one.limit(40);
    one.lost(0);
    one.end();
    assertThat(other.limit(40)).isEqualTo(30);
    other.end();
    assertThat(windows.to(DESTINATION).limit(40)).isEqualTo(40);
  }
}
