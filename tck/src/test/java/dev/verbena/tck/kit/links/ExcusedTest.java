package dev.verbena.tck.kit.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExcusedTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"software.txt", "native-excused.txt", "dropin-excused.txt", "rxe-excused.txt"})
  void everyExcusedTestExistsAndHasAReason(String list) throws ClassNotFoundException {
    for (Map.Entry<String, String> entry : Excused.reasons(list).entrySet()) {
      String name = entry.getKey();
      assertThat(entry.getValue()).as(name).isNotBlank();
      if (name.endsWith(".*")) {
        Class.forName("dev.verbena.tck." + name.replace("*", "package-info"));
        continue;
      }
      String[] parts = name.split("#", -1);
      Class<?> test = Class.forName("dev.verbena.tck." + parts[0]);
      if (parts.length > 1) {
        assertThat(Arrays.stream(test.getDeclaredMethods()).map(method -> method.getName()))
            .as(name)
            .contains(parts[1]);
      }
    }
  }
}
