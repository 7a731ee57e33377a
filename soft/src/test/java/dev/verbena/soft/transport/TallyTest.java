package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Counter;
import org.junit.jupiter.api.Test;

class TallyTest {
  @Test
  void whatAQueuePairCountsIsCountedForItsDeviceToo() {
    Tally device = new Tally();
    Tally one = device.part();
    Tally other = device.part();
    one.count(Counter.TIMEOUTS);
    other.add(Counter.TIMEOUTS, 3);
    device.count(Counter.TIMEOUTS);
    assertThat(one.get(Counter.TIMEOUTS)).isEqualTo(1);
    assertThat(other.get(Counter.TIMEOUTS)).isEqualTo(3);
    assertThat(device.get(Counter.TIMEOUTS)).isEqualTo(5);
    assertThat(device.get(Counter.RETRANSMITTED)).isZero();
  }

  @Test
  void whatAQueuePairReceivesIsCountedByTheDeviceInBatches() {
    Tally device = new Tally();
    Tally one = device.part();
    one.received(1, 100);
    one.received(1, 20);
    device.traffic(Counter.PACKETS_RECEIVED, 3, Counter.BYTES_RECEIVED, 130);
    assertThat(one.get(Counter.PACKETS_RECEIVED)).isEqualTo(2);
    assertThat(one.get(Counter.BYTES_RECEIVED)).isEqualTo(120);
    assertThat(device.get(Counter.PACKETS_RECEIVED)).isEqualTo(3);
    assertThat(device.get(Counter.BYTES_RECEIVED)).isEqualTo(130);
    one.traffic(Counter.PACKETS_SENT, 1, Counter.BYTES_SENT, 60);
    assertThat(one.get(Counter.BYTES_SENT)).isEqualTo(60);
    assertThat(device.get(Counter.BYTES_SENT)).isEqualTo(60);
    assertThat(device.get(Counter.PACKETS_SENT)).isEqualTo(1);
  }

  @Test
  void itsTextHasWhatIsNotZeroByItsKey() {
    Tally tally = new Tally();
    assertThat(tally).hasToString("counters[]");
    tally.add(Counter.PACKETS_SENT, 3);
    tally.count(Counter.DROPPED_NO_RECEIVE);
    assertThat(tally).hasToString("counters[packets_sent=3, dropped_no_receive=1]");
  }

  @Test
  void aDeviceKeepsWhatTheLanesOfQueuePairsHaveThatEnded() {
    Tally device = new Tally();
    Tally one = device.part();
    Tally other = device.part();
    one.count(Counter.LOOPBACK_MESSAGES);
    one.guarded(Counter.LOOPBACK_MESSAGES).add(1);
    one.guarded(Counter.LOOPBACK_MESSAGES).add(20);
    other.guarded(Counter.LOOPBACK_MESSAGES).add(300);
    assertThat(one.get(Counter.LOOPBACK_MESSAGES)).isEqualTo(22);
    assertThat(device.get(Counter.LOOPBACK_MESSAGES)).isEqualTo(322);
    one.end();
    one.end();
    assertThat(device.get(Counter.LOOPBACK_MESSAGES)).isEqualTo(322);
    assertThat(device.get(Counter.LOOPBACK_RECEIVED)).isZero();
  }
}
