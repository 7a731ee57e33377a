package dev.verbena.tools.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JsonTest {
  @Test
  void valuesOfEveryKindAreWritten() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("list", Arrays.asList(1, 2.5, -3L, true, null));
    map.put("nested", Map.of("empty", List.of()));

    assertThat(Json.text(map))
        .isEqualTo("{\"list\":[1,2.5,-3,true,null],\"nested\":{\"empty\":[]}}");
  }

  @Test
  void textIsQuoted() {
    assertThat(Json.text("a \"b\" \\ \n\u0001")).isEqualTo("\"a \\\"b\\\" \\\\ \\u000a\\u0001\"");
  }

  @Test
  void numbersThatJsonDoesNotHaveAreNull() {
    assertThat(Json.text(List.of(Double.NaN, Double.POSITIVE_INFINITY))).isEqualTo("[null,null]");
  }
}
