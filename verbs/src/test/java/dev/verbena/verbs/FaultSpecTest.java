package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text form of faults. */
class FaultSpecTest {
  private static final long SEED = 0x6661756c;

  @Test
  void everyPartIsRead() {
    assertThat(
            FaultSpec.parse(
                "drop:0.05,dropnth:7+3+7,dup:0.01,reorder:0.02,delay:0.25@2ms,corrupt:0.001,seed:-7"))
        .isEqualTo(
            new FaultSpec(
                0.05, List.of(3L, 7L), 0.01, 0.02, 0.25, Duration.ofMillis(2), 0.001, -7));
  }

  @Test
  void theTextHasWhatIsSetAndMeansTheSame() {
    FaultSpec all =
        FaultSpec.parse(
            "drop:0.05,dropnth:3+7,dup:0.01,reorder:0.02,delay:0.25@2ms,corrupt:0.001,seed:-7");
    assertThat(FaultSpec.parse(all.toString())).isEqualTo(all);
    assertThat(FaultSpec.parse("dup:0.1")).hasToString("dup:0.1,seed:1");
    assertThat(FaultSpec.NONE).hasToString("seed:1");
  }

  @Test
  void everyPartIsOptional() {
    assertThat(FaultSpec.parse("seed:1")).isEqualTo(FaultSpec.NONE);
    assertThat(FaultSpec.parse("drop:1").drop()).isEqualTo(1);
    assertThat(FaultSpec.parse("delay:0.5"))
        .isEqualTo(new FaultSpec(0, List.of(), 0, 0, 0.5, FaultSpec.NONE.delayTime(), 0, 1));
  }

  @ParameterizedTest
  @CsvSource({"0us, 0", "15us, 15", "3ms, 3000", "2s, 2000000", "3600s, 3600000000"})
  void delayTimesAreInMicrosecondsMillisecondsOrSeconds(String text, long micros) {
    assertThat(FaultSpec.parse("delay:0.1@" + text).delayTime())
        .isEqualTo(Duration.ofNanos(micros * 1000));
  }

  @Test
  void whatIsFinerThanAMicrosecondIsCutOff() {
    assertThat(new FaultSpec(0, List.of(), 0, 0, 1, Duration.ofNanos(2999), 0, 1).delayTime())
        .isEqualTo(Duration.ofNanos(2000));
  }

  @Test
  void eachPartCanBeChangedByItself() {
    FaultSpec all =
        FaultSpec.NONE
            .withDrop(0.05)
            .withDropNth(9, 4)
            .withDuplicate(0.01)
            .withReorder(0.02)
            .withDelay(0.25, Duration.ofMillis(2))
            .withCorrupt(0.001)
            .withSeed(-7);
    assertThat(all)
        .isEqualTo(
            FaultSpec.parse(
                "drop:0.05,dropnth:4+9,dup:0.01,reorder:0.02,delay:0.25@2ms,corrupt:0.001,seed:-7"));
    assertThat(
            all.withSeed(1)
                .withCorrupt(0)
                .withDelay(0, Duration.ofMillis(1))
                .withReorder(0)
                .withDuplicate(0)
                .withDropNth()
                .withDrop(0))
        .isEqualTo(FaultSpec.NONE);
    assertThatThrownBy(() -> all.withDrop(1.5)).hasMessageContaining("drop probability 1.5");
  }

  @Test
  void itIsActiveIfAnyFaultCanHappen() {
    assertThat(FaultSpec.NONE.isActive()).isFalse();
    for (String fault : new String[] {"drop", "dup", "reorder", "delay", "corrupt"}) {
      assertThat(FaultSpec.parse(fault + ":1e-9").isActive()).as(fault).isTrue();
      assertThat(FaultSpec.parse(fault + ":0").isActive()).as(fault).isFalse();
    }
    assertThat(FaultSpec.parse("dropnth:1").isActive()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "drop:1e-9, true",
    "dropnth:5, true",
    "corrupt:1e-9, true",
    "'dup:1,reorder:1,delay:1', false",
    "seed:3, false"
  })
  void itLosesPacketsIfItDropsOrDamagesThem(String text, boolean loses) {
    assertThat(FaultSpec.parse(text).losesPackets()).isEqualTo(loses);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\"|'' is not of the form KIND:VALUE",
        "drop|'drop' is not of the form KIND:VALUE",
        "drop:0.1,|'' is not of the form KIND:VALUE",
        "loss:0.1|'loss' is not a fault; known: drop, dropnth, dup, reorder, delay, corrupt,"
            + " seed",
        "drop:many|'drop:many': 'many' is not a probability, such as 0.01",
        "drop:|'drop:': '' is not a probability, such as 0.01",
        "drop:1.5|drop probability 1.5 is not in 0 to 1",
        "dup:-0.1|dup probability -0.1 is not in 0 to 1",
        "reorder:NaN|reorder probability NaN is not in 0 to 1",
        "corrupt:Infinity|corrupt probability Infinity is not in 0 to 1",
        "dropnth:0|dropnth 0: the first packet is 1",
        "dropnth:3+-1|dropnth -1: the first packet is 1",
        "dropnth:3+|'dropnth:3+': '' is not a whole number",
        "dropnth:|'dropnth:': '' is not a whole number",
        "dropnth:0.5|'dropnth:0.5': '0.5' is not a whole number",
        "seed:1.5|'seed:1.5': '1.5' is not a whole number",
        "seed:9223372036854775808|'seed:9223372036854775808': '9223372036854775808' is not a"
            + " whole number",
        "delay:0.1@5|'delay:0.1@5': a time ends in us, ms or s",
        "delay:0.1@5m|'delay:0.1@5m': a time ends in us, ms or s",
        "delay:0.1@ms|'delay:0.1@ms': '' is not a whole number",
        "delay:0.1@-1ms|'delay:0.1@-1ms': -1 ms is not in 0 to 1 hour",
        "delay:0.1@3601s|'delay:0.1@3601s': 3601 s is not in 0 to 1 hour",
        "delay:0.1@9223372036854775807us|'delay:0.1@9223372036854775807us': 9223372036854775807 us"
            + " is not in 0 to 1 hour",
        "drop:0.1,seed:2,drop:0.2|'drop:0.1,seed:2,drop:0.2' gives drop twice"
      })
  void whatIsWrongIsNamed(String text, String detail) {
    assertThatThrownBy(() -> FaultSpec.parse(text))
        .isInstanceOf(VerbsException.class)
        .hasMessage("faults: " + detail + " (EINVAL: Invalid argument)");
  }

  @Test
  void delayTimesBeyondAnHourAreRefusedAtConstructionToo() {
    assertThatThrownBy(() -> new FaultSpec(0, List.of(), 0, 0, 1, Duration.ofSeconds(-1), 0, 1))
        .hasMessageContaining("delay time PT-1S is not in 0 to 1 hour");
    assertThatThrownBy(
            () -> new FaultSpec(0, List.of(), 0, 0, 1, Duration.ofSeconds(Long.MAX_VALUE), 0, 1))
        .hasMessageContaining("is not in 0 to 1 hour");
  }

  @Test
  void randomSpecificationsSurviveTheirText() {
    Random random = new Random(SEED);
    for (int round = 0; round < 10_000; round++) {
      FaultSpec spec =
          new FaultSpec(
              random.nextDouble(),
              random.longs(random.nextInt(4), 1, Long.MAX_VALUE).boxed().toList(),
              Math.pow(random.nextDouble(), 40),
              random.nextInt(2),
              random.nextDouble(),
              Duration.ofNanos(random.nextLong(3_600_000_000_001L)),
              random.nextDouble(),
              random.nextLong());
      assertThat(FaultSpec.parse(spec.toString())).as("seed %d", SEED).isEqualTo(spec);
    }
  }

  @Test
  void parseOfAnyTextReturnsOrIsEinval() {
    String[] words = {
      "drop:",
      "dropnth:",
      "+",
      "dup:",
      "reorder:",
      "delay:",
      "corrupt:",
      "seed:",
      "@",
      ",",
      "0.",
      "1",
      "9",
      "us",
      "ms",
      "s",
      "NaN",
      "-",
      "e",
      "999999999999999999",
      "0x1p"
    };
    TextFuzz.run(
        SEED,
        ":,@.0123456789usme-",
        words,
        text ->
            assertThat(FaultSpec.parse(FaultSpec.parse(text).toString()))
                .isEqualTo(FaultSpec.parse(text)));
  }
}
