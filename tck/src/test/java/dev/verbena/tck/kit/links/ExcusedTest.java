package dev.verbena.tck.kit.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    assertThat(Excuse.of("a.B", "takes attributes that it should refuse").isCertain()).isTrue();
    assertThat(Excuse.of("a.B", "by chance: sends what waited in SQD").isCertain()).isFalse();
  }

  @Test
  void anEntryHasATestAndInvocationsAndWords() {
    assertThat(Excuse.of("a.B#c[WR]: but was: [4]: no", "it"))
        .isEqualTo(new Excuse("a.B#c", "WR", "but was: [4]: no", "it"))
        .hasToString("a.B#c[WR]: but was: [4]: no");
    assertThat(Excuse.of("a.B#c", "it")).isEqualTo(new Excuse("a.B#c", "", "", "it"));
    for (String line :
        List.of("a.B#c [WR]: no", "a.B#c no", "a.B#c[]: no", "a.B#c[WR] no", ": no")) {
      assertThatThrownBy(() -> Excuse.of(line, "it")).hasMessageContaining(line);
    }
  }

  @Test
  void anEntryIsAboutAMethodAClassOrAPackage() {
    assertThat(List.of("a.B#c", "a.B", "a.*")).allMatch(test -> isAbout(test, "a.B#c", "c()"));
    assertThat(List.of("a.B", "a.*")).allMatch(test -> isAbout(test, "a.B", "B"));
    assertThat(List.of("a.B#d", "a.C", "b.*", "a.B#cc"))
        .noneMatch(test -> isAbout(test, "a.B#c", "c"));
    assertThat(isAbout("a.B#c", "a.B", "B")).isFalse();
    assertThat(isAbout("a.*", "a.b.C#d", "d()")).isFalse();
  }

  @Test
  void anEntryIsAboutTheInvocationsWithItsWords() {
    assertThat(isAbout("a.B#c[WR]", "a.B#c", "NATIVE, WR")).isTrue();
    assertThat(isAbout("a.B#c[way = IOVA]", "a.B#c", "[3] way = IOVA")).isTrue();
    assertThat(isAbout("a.B#c[WR]", "a.B#c", "NATIVE, POST_SEND")).isFalse();
    assertThat(isAbout("a.B#c[IOVA]", "a.B#c", "[4] way = IOVA_ZERO")).isFalse();
    assertThat(isAbout("a.B#c[WR]", "a.B#d", "NATIVE, WR")).isFalse();
  }

  private static boolean isAbout(String entry, String name, String displayName) {
    return Excuse.of(entry, "it").isAbout(name, displayName);
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
  void everyExcusedTestExistsAndHasAReasonAndWordsIfItRuns(String list)
      throws ClassNotFoundException {
    for (Excuse excuse : Excused.excuses(Excused.reasons(list))) {
      String name = excuse.test();
      assertThat(excuse.reason()).as(name).isNotBlank();
      assertThat(excuse.words().isEmpty()).as("words of " + name).isEqualTo(isOnlySkipped(list));
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

  private static boolean isOnlySkipped(String list) {
    return list.equals("software.txt");
  }
}
