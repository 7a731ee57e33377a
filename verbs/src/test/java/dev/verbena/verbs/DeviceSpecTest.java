package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text form of device specifications. */
class DeviceSpecTest {
  private static final long SEED = 0x64657673;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "soft0",
        "soft_10_77_0_1",
        "soft:10.77.0.1",
        "soft:::1",
        "soft:fe80::1?link=udp",
        "soft0?link=packet&faults=drop:0.05,seed:7&capture=/tmp/a b?.pcapng&icrc=off",
        "rdma0?x=&y=a=b"
      })
  void textSurvivesParsingAndPrinting(String text) {
    DeviceSpec spec = DeviceSpec.parse(text);
    assertThat(spec.toString()).isEqualTo(text);
    assertThat(DeviceSpec.parse(spec.toString())).isEqualTo(spec).hasSameHashCodeAs(spec);
  }

  @Test
  void partsAreTakenApart() {
    DeviceSpec spec = DeviceSpec.parse("soft:::1?link=udp&capture=a=b");
    assertThat(spec.name()).isEqualTo("soft");
    assertThat(spec.address()).isEqualTo("::1");
    assertThat(spec.options())
        .containsExactly(Map.entry("link", "udp"), Map.entry("capture", "a=b"));
    assertThat(DeviceSpec.parse("soft0").address()).isNull();
    assertThat(DeviceSpec.parse("soft0").options()).isEmpty();
  }

  @Test
  void theBuilderGivesTheSameAsTheText() {
    FaultSpec faults = FaultSpec.parse("drop:0.05,seed:7");
    DeviceSpec spec =
        DeviceSpec.soft("10.77.0.1")
            .link(LinkKind.UDP)
            .faults(faults)
            .capture(Path.of("run.pcapng"))
            .icrc(false);
    assertThat(spec)
        .isEqualTo(
            DeviceSpec.parse(
                "soft:10.77.0.1?link=udp&faults=" + faults + "&capture=run.pcapng&icrc=off"));
    assertThat(spec.link(LinkKind.AUTO).options()).containsEntry("link", "auto").hasSize(4);
    assertThat(DeviceSpec.named("soft0").icrc(true)).hasToString("soft0?icrc=on");
  }

  @Test
  void specificationsAreImmutable() {
    DeviceSpec plain = DeviceSpec.named("soft0");
    assertThat(plain.link(LinkKind.PACKET)).isNotEqualTo(plain);
    assertThat(plain).hasToString("soft0");
    assertThatThrownBy(() -> plain.options().put("link", "udp"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\"|'' is not a device name: 1 to 63 letters, digits, '_', '.' or '-'",
        "soft 0|'soft 0' is not a device name: 1 to 63 letters, digits, '_', '.' or '-'",
        "?link=udp|'' is not a device name: 1 to 63 letters, digits, '_', '.' or '-'",
        "soft:|'soft:' has no address after the colon",
        "soft0?|option '' of 'soft0?' is not of the form NAME=VALUE",
        "soft0?link|option 'link' of 'soft0?link' is not of the form NAME=VALUE",
        "soft0?=udp|option '=udp' of 'soft0?=udp' is not of the form NAME=VALUE",
        "soft0?a=1&|option '' of 'soft0?a=1&' is not of the form NAME=VALUE",
        "soft0?a=1&a=2|'soft0?a=1&a=2' gives the option a twice"
      })
  void whatIsWrongIsNamed(String text, String detail) {
    assertThatThrownBy(() -> DeviceSpec.parse(text))
        .isInstanceOf(VerbsException.class)
        .hasMessage("deviceSpec: " + detail + " (EINVAL: Invalid argument)");
  }

  @Test
  void theBuilderRefusesWhatTheTextCouldNotHold() {
    DeviceSpec spec = DeviceSpec.named("soft0");
    assertThatThrownBy(() -> DeviceSpec.named("a".repeat(64))).hasMessageContaining("1 to 63");
    assertThatThrownBy(() -> DeviceSpec.soft(""))
        .hasMessageContaining("'' is not an address: it is empty or contains '?'");
    assertThatThrownBy(() -> DeviceSpec.soft("::1?link=udp")).hasMessageContaining("contains '?'");
    assertThatThrownBy(() -> spec.option("", "1")).hasMessageContaining("is not an option name");
    assertThatThrownBy(() -> spec.option("a=b", "1")).hasMessageContaining("is not an option name");
    assertThatThrownBy(() -> spec.option("a&b", "1")).hasMessageContaining("is not an option name");
  }

  @ParameterizedTest
  @CsvSource({
    "R&D/run.pcapng, R%26D/run.pcapng",
    "%26, %2526",
    "%25, %2525",
    "%%26&%, %%2526%26%",
    "100%/%p, 100%/%p"
  })
  void theValueOfAnOptionMayBeAnyText(String value, String text) {
    DeviceSpec spec = DeviceSpec.named("soft0").option("capture", value).icrc(false);
    assertThat(spec).hasToString("soft0?capture=" + text + "&icrc=off");
    assertThat(DeviceSpec.parse(spec.toString()).options()).containsEntry("capture", value);
  }

  @Test
  void parseOfAnyTextReturnsOrIsEinval() {
    String[] words = {"soft", "soft0", ":", "?", "&", "link=", "udp", "faults=drop:1", "::1"};
    TextFuzz.run(
        SEED,
        "soft0:?&=._-1 ",
        words,
        text -> {
          DeviceSpec spec = DeviceSpec.parse(text);
          assertThat(spec).hasToString(text);
          assertThat(DeviceSpec.parse(spec.toString())).isEqualTo(spec);
        });
  }
}
