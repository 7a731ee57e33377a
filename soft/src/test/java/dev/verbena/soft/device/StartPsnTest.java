package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendOps;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The start PSN of an endpoint. */
@Timeout(30)
class StartPsnTest {
  @Test
  void itIsDrawnAnewByEachTransitionToReset() {
    try (ConnectedQp connected =
        ConnectedQp.open("?link=packet", new QpCap(1, 1, 1, 1, 0), SendOps.SEND)) {
      Set<Integer> drawn = new HashSet<>();
      for (int round = 0; round < 8; round++) {
        int psn = connected.qp().endpoint().psn();
        assertThat(psn).isBetween(0, 0xff_ffff);
        assertThat(connected.qp().endpoint().psn()).as("until the next RESET").isEqualTo(psn);
        drawn.add(psn);
        connected.qp().modify(new QpAttr().qpState(QpState.RESET));
      }
      // By chance, one of eight repeats once in 600 000 runs, and two practically never.
      assertThat(drawn).hasSizeGreaterThan(6);
    }
  }
}
