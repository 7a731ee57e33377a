package dev.verbena.tck.kit.links;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExcusedTest {
  @ParameterizedTest
  @ValueSource(strings = {"native-absent.txt", "dropin-absent.txt", "rxe-absent.txt"})
  void everythingAbsentIsAVerbAndHasAReason(String list) {
    for (Map.Entry<String, String> entry : Excused.reasons(list).entrySet()) {
      assertThat(entry.getKey()).matches("[a-z][A-Za-z0-9]+(: .+)?");
      assertThat(entry.getValue()).as(entry.getKey()).isNotBlank();
    }
  }

  @Test
  void aReasonSaysWhetherATestAlwaysFails() {
    assertThat(Excused.isCertain("takes attributes that it should refuse")).isTrue();
    assertThat(Excused.isCertain("by chance: sends what waited in SQD")).isFalse();
  }

  @Test
  void onlyWhatAListNamesIsAbsent() {
    Set<String> list = Set.of("createWq", "createQp: RAW_PACKET");
    assertThat(absent(list, "createWq", Errno.EOPNOTSUPP)).containsExactly("createWq");
    assertThat(absent(list, "createQp", Errno.EOPNOTSUPP)).containsExactly("createQp: RAW_PACKET");
    assertThat(absent(list, "createWq", Errno.EINVAL)).isEmpty();
    assertThat(absent(list, "createCq", Errno.EOPNOTSUPP)).isEmpty();
    assertThat(absent(Set.of("createQp: UD"), "createQp", Errno.EOPNOTSUPP)).isEmpty();
  }

  @Test
  void whatAListNamesIsMetByWholeWordsAndAllOfThem() {
    for (String entry : List.of("createQp: flags=0x2", "createQp: PACKET", "createQp: a RAW")) {
      assertThat(absent(Set.of(entry), "createQp", Errno.EOPNOTSUPP)).as(entry).isEmpty();
    }
    for (String entry : List.of("createQp: flags=0x20", "createQp: queue pair, RAW_PACKET")) {
      assertThat(absent(Set.of(entry), "createQp", Errno.EOPNOTSUPP)).containsExactly(entry);
    }
    assertThat(absent(Set.of("createQp: RAW_PACKET, UC"), "createQp", Errno.EOPNOTSUPP)).isEmpty();
  }

  private static List<String> absent(Set<String> list, String verb, int errno) {
    return Absent.entries(
        list, new VerbsException(verb, errno, "a RAW_PACKET queue pair, flags=0x20"));
  }

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
