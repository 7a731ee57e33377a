package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.EventType;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.Numbered;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests texts and rates, which C takes from the Java enums. */
final class TextTest {
  /** Beyond the numbers of every enum, on both sides. */
  private static final int FIRST = -1;

  private static final int LAST = 40;

  private static final String UNKNOWN = "unknown";

  @Test
  void theTextsAreThoseOfTheEnums() {
    same("ibv_wc_status_str", WcStatus.values(), WcStatus::str);
    same("ibv_event_type_str", EventType.values(), EventType::str);
    same("ibv_node_type_str", NodeType.values(), NodeType::str);
    same("ibv_port_state_str", PortState.values(), PortState::str);
    same("ibv_wr_opcode_str", WrOpcode.values(), WrOpcode::str);
  }

  private static <E extends Numbered> void same(
      String function, E[] constants, Function<E, String> text) {
    for (E each : constants) {
      assertThat(Verbs.library().text(function, each.number())).isEqualTo(text.apply(each));
    }
  }

  @Test
  void theRatesAreThoseOfTheEnum() {
    for (Rate rate : Rate.values()) {
      assertThat(Verbs.callInt("ibv_rate_to_mbps", rate.number())).isEqualTo(rate.toMbps());
      assertThat(Verbs.callInt("ibv_rate_to_mult", rate.number())).isEqualTo(rate.toMult());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ibv_wc_status_str",
        "ibv_event_type_str",
        "ibv_node_type_str",
        "ibv_port_state_str"
      })
  void theGenuineLibraryHasTheSameTextsForAllNumbersThatItKnows(String function) {
    CLibraryNative genuine = CLibraryNative.load(GenuineLibrary.file());
    for (int number = FIRST; number <= LAST; number++) {
      String text = genuine.text(function, number);
      // The enums also have events of releases later than the installed one.
      boolean isKnown = !text.equals(UNKNOWN) || number < 0 || number == LAST;
      if (isKnown) {
        assertThat(Verbs.library().text(function, number))
            .as("%s(%d)", function, number)
            .isEqualTo(text);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ibv_rate_to_mbps", "ibv_rate_to_mult"})
  void theGenuineLibraryHasTheSameRatesForAllNumbers(String function) {
    CLibraryNative genuine = CLibraryNative.load(GenuineLibrary.file());
    for (int number = FIRST; number <= LAST; number++) {
      assertThat(Verbs.callInt(function, number))
          .as("%s(%d)", function, number)
          .isEqualTo((int) genuine.call(function, number));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mbps", "mult"})
  void theGenuineLibraryFindsTheSameRateOfANumber(String unit) {
    CLibraryNative genuine = CLibraryNative.load(GenuineLibrary.file());
    String back = unit + "_to_ibv_rate";
    for (int number = FIRST; number <= LAST; number++) {
      int speed = (int) genuine.call("ibv_rate_to_" + unit, number);
      for (int near = speed - 1; near <= speed + 1; near++) {
        assertThat(Verbs.callInt(back, near))
            .as("%s(%d)", back, near)
            .isEqualTo((int) genuine.call(back, near));
      }
    }
  }
}
