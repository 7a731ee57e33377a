package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The three tables of ibv_rate. */
class RateTest {
  @ParameterizedTest
  @Proves("S0.12")
  @CsvSource({
    "MAX, 0, -1, -1",
    "RATE_2_5, 2, 1, 2500",
    "RATE_10, 3, 4, 10000",
    "RATE_30, 4, 12, 30000",
    "RATE_5, 5, 2, 5000",
    "RATE_20, 6, 8, 20000",
    "RATE_40, 7, 16, 40000",
    "RATE_60, 8, 24, 60000",
    "RATE_80, 9, 32, 80000",
    "RATE_120, 10, 48, 120000",
    "RATE_14, 11, -1, 14062",
    "RATE_56, 12, -1, 56250",
    "RATE_112, 13, -1, 112500",
    "RATE_168, 14, -1, 168750",
    "RATE_25, 15, -1, 25781",
    "RATE_100, 16, -1, 103125",
    "RATE_200, 17, -1, 206250",
    "RATE_300, 18, -1, 309375",
    "RATE_28, 19, 11, 28125",
    "RATE_50, 20, 20, 53125",
    "RATE_400, 21, 160, 425000",
    "RATE_600, 22, 240, 637500",
    "RATE_800, 23, 320, 850000",
    "RATE_1200, 24, 480, 1275000"
  })
  void eachRateHasItsNumberMultipleAndLineRate(Rate rate, int number, int mult, int mbps) {
    assertThat(rate.number()).isEqualTo(number);
    assertThat(Rate.of(number)).isEqualTo(rate);
    assertThat(rate.toMult()).isEqualTo(mult);
    assertThat(rate.toMbps()).isEqualTo(mbps);
    assertThat(Rate.ofMult(mult)).isEqualTo(mult < 0 ? Rate.MAX : rate);
    assertThat(Rate.ofMbps(mbps)).isEqualTo(rate);
  }

  @Test
  @Proves("S0.12")
  void whatIsNotInTheTablesIsMax() {
    assertThat(Rate.values()).hasSize(24);
    Map<Integer, Rate> byMult = index(Rate::toMult);
    Map<Integer, Rate> byMbps = index(Rate::toMbps);
    for (int value = -2; value <= 1_300_000; value++) {
      Rate mult = byMult.getOrDefault(value, Rate.MAX);
      Rate mbps = byMbps.getOrDefault(value, Rate.MAX);
      if (Rate.ofMult(value) != mult || Rate.ofMbps(value) != mbps) {
        assertThat(List.of(Rate.ofMult(value), Rate.ofMbps(value)))
            .as("rates of %d", value)
            .containsExactly(mult, mbps);
      }
    }
  }

  private static Map<Integer, Rate> index(Function<Rate, Integer> table) {
    return Stream.of(Rate.values())
        .filter(rate -> table.apply(rate) > 0)
        .collect(Collectors.toMap(table, Function.identity()));
  }
}
