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
    one.addHere(Counter.TIMEOUTS, 10);
    assertThat(one.get(Counter.TIMEOUTS)).isEqualTo(11);
    assertThat(other.get(Counter.TIMEOUTS)).isEqualTo(3);
    assertThat(device.get(Counter.TIMEOUTS)).isEqualTo(5);
    assertThat(device.get(Counter.RETRANSMITTED)).isZero();
  }

  @Test
  void aDeviceKeepsWhatTheLanesOfQueuePairsHaveThatEnded() {
    Tally device = new Tally();
    Tally one = device.part();
    Tally other = device.part();
    one.count(Counter.LOOPBACK_MESSAGES);
    one.lane(Counter.LOOPBACK_MESSAGES).add(1);
    one.lane(Counter.LOOPBACK_MESSAGES).add(20);
    other.lane(Counter.LOOPBACK_MESSAGES).add(300);
    assertThat(one.get(Counter.LOOPBACK_MESSAGES)).isEqualTo(22);
    assertThat(device.get(Counter.LOOPBACK_MESSAGES)).isEqualTo(322);
    one.end();
    one.end();
    assertThat(device.get(Counter.LOOPBACK_MESSAGES)).isEqualTo(322);
    assertThat(device.get(Counter.LOOPBACK_RECEIVED)).isZero();
  }
}
