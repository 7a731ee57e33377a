package dev.verbena.soft.link.socket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InFlightWindowTest {
  /** Linux's net.core.rmem_default. */
  private static final int USUAL_RECEIVE_BUFFER = 212_992;

  @Test
  void aDatagramIsChargedWhatTheKernelWasSeenToCharge() {
    int[][] measured = {
      {16, 832},
      {64, 832},
      {256, 1280},
      {552, 1280},
      {600, 1280},
      {640, 2304},
      {1064, 2304},
      {1600, 2304},
      {1664, 4352},
      {2088, 4352},
      {3600, 4352},
      {3712, 8448},
      {4096, 8448},
      {4112, 8448},
      {4136, 8448},
      {8000, 16640}
    };
    for (int[] pair : measured) {
      assertThat(InFlightWindow.charge(pair[0])).as("%d bytes", pair[0]).isEqualTo(pair[1]);
    }
  }

  @Test
  void threeQuartersOfTheSmallerBufferAreUsed() {
    InFlightWindow usual = new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, false);
    assertThat(usual.packets(4096)).isEqualTo(18);
    assertThat(usual.packets(2048)).isEqualTo(36);
    assertThat(usual.packets(1024)).isEqualTo(69);
    assertThat(usual.packets(512)).isEqualTo(124);
    assertThat(usual.packets(256)).isEqualTo(124);
    assertThat(new InFlightWindow(16 << 20, USUAL_RECEIVE_BUFFER, false).packets(4096))
        .isEqualTo(18);
  }

  @Test
  void packetsWhoseLengthIsSaidFillTheBufferButNoMoreThanThreeRuns() {
    InFlightWindow usual = new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, true);
    assertThat(usual.packets(4096)).isEqualTo(42);
    assertThat(usual.packets(1024)).isEqualTo(110);
    assertThat(usual.packets(256)).isEqualTo(182);
    assertThat(usual.packets(8)).isEqualTo(192);
    InFlightWindow large = new InFlightWindow(1 << 20, 1 << 20, true);
    assertThat(large.packets(4096)).isEqualTo(93);
    assertThat(large.packets(2048)).isEqualTo(180);
  }

  @Test
  void ofSmallPacketsThatTravelTogetherThereAreMore() {
    InFlightWindow usual = new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, true);
    assertThat(usual.packetsOf(80 + 848 / 32, 64, 0)).isEqualTo(512);
    assertThat(usual.packetsOf(80 + 848, 64, 0)).as("alone").isLessThan(usual.packets(16));
    assertThat(new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, false).packetsOf(80, 64, 0))
        .isEqualTo(1);
  }

  @Test
  void ofLongMessagesThereAreThreeRuns() {
    InFlightWindow usual = new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, true);
    int charge = 4112 + 2 * 848 / 16;
    assertThat(usual.packetsOf(charge, 4096, 0)).as("three WRITEs of 64 KiB").isEqualTo(50);
    assertThat(50 * (charge + 848)).as("alone").isLessThan(2 * USUAL_RECEIVE_BUFFER);
    assertThat(usual.packetsOf(1040 + 848 / 62, 1024, 0)).isGreaterThan(3 * 62);
    assertThat(usual.packetsOf(4112 + 848, 4096, 0)).as("alone").isLessThan(usual.packets(4096));
    assertThat(usual.packetsOf(1500, 4096, 0)).as("with small ones between them").isEqualTo(70);
  }

  @Test
  void ifAPeerSaysHowMuchItHasMoreRunsMayBeInFlight() {
    InFlightWindow usual = new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, true);
    int charge = 4112 + 2 * 848 / 16;
    assertThat(usual.packetsOf(charge, 4096, 2 * USUAL_RECEIVE_BUFFER)).isEqualTo(75);
    assertThat(75 * (charge + 848)).as("alone").isLessThan(2 * USUAL_RECEIVE_BUFFER);
    for (int large : new int[] {4 * USUAL_RECEIVE_BUFFER, 16 << 20, Integer.MAX_VALUE}) {
      assertThat(usual.packetsOf(charge, 4096, large)).as("%d bytes", large).isEqualTo(151);
      assertThat(usual.packetsOf(92, 64, large)).as("small ones, %d bytes", large).isEqualTo(512);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {512, 1024, 2048, 4096})
  void whatAPeerSaysHoldsThemEvenIfTheyTravelAlone(int payload) {
    InFlightWindow usual = new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, true);
    int charge = payload + 16 + 848 / 16;
    for (int told : new int[] {2 * USUAL_RECEIVE_BUFFER, 3 * USUAL_RECEIVE_BUFFER, 851_968}) {
      int packets = usual.packetsOf(charge, payload, told);
      assertThat(packets * (charge + 848)).as("%d told", told).isLessThanOrEqualTo(told);
    }
  }

  @Test
  void onlyABufferThatIsChargedTheLengthOfDatagramsIsSpokenOf() {
    assertThat(new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, true).receiveBuffer())
        .isEqualTo(16 << 20);
    assertThat(new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, false).receiveBuffer()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1, 4096, USUAL_RECEIVE_BUFFER})
  void aPeerWithASmallBufferGetsNoMoreAndNoLessThanOneThatSaysNothing(int buffer) {
    InFlightWindow usual = new InFlightWindow(USUAL_RECEIVE_BUFFER, 16 << 20, true);
    for (int charge : new int[] {92, 1500, 4218, 4960}) {
      assertThat(usual.packetsOf(charge, 4096, buffer)).isEqualTo(usual.packetsOf(charge, 4096, 0));
    }
  }

  @Test
  void whatThisSideAsksForFitsItsOwnBuffer() {
    assertThat(new InFlightWindow(USUAL_RECEIVE_BUFFER, 425_984, true).answers(4096)).isEqualTo(37);
    assertThat(new InFlightWindow(USUAL_RECEIVE_BUFFER, 8 << 20, true).answers(4096))
        .isEqualTo(512);
    assertThat(new InFlightWindow(8192, 8192, true).answers(4096)).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thereAreNeverMoreThan512HoweverLargeTheBuffers(boolean segments) {
    InFlightWindow huge = new InFlightWindow(1 << 28, 1 << 28, segments);
    for (int payload : new int[] {0, 64, 256, 1024, 4096}) {
      assertThat(huge.packets(payload)).isEqualTo(512);
      for (int told : new int[] {0, 1 << 30, Integer.MAX_VALUE}) {
        assertThat(huge.packetsOf(payload + 1, payload, told)).isBetween(1, 512);
      }
      assertThat(huge.answers(payload)).isEqualTo(512);
    }
  }

  @Test
  void theLeastWindowIsFour() {
    assertThat(new InFlightWindow(8192, 8192, false).packets(4096)).isEqualTo(4);
  }
}
