package dev.verbena.tck.kit.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ExcusedTest {
  @Test
  void everyExcusedTestExistsAndHasAReason() throws ClassNotFoundException {
    for (Map.Entry<String, String> entry : Excused.reasons().entrySet()) {
      String[] parts = entry.getKey().split("#", -1);
      Class<?> test = Class.forName("dev.verbena.tck." + parts[0]);
      assertThat(entry.getValue()).as(entry.getKey()).isNotBlank();
      if (parts.length > 1) {
        assertThat(Arrays.stream(test.getDeclaredMethods()).map(method -> method.getName()))
            .as(entry.getKey())
            .contains(parts[1]);
      }
    }
  }
}
