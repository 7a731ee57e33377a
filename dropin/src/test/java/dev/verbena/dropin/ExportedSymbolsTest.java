package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A program linked with rdma-core's library finds every symbol that it may need in ours. */
final class ExportedSymbolsTest {
  /** Part of the name of this release's installed file, libibverbs.so.1.14.44.0. */
  private static final String RELEASE = ".44.0";

  /**
   * Symbols that later releases added, by version, without those already in an earlier private
   * version.
   */
  private static final String LATER = "later-symbols.txt";

  private static final String PRIVATE = "@IBVERBS_PRIVATE_";
  private static final String PRIVATE_OF_44 = PRIVATE + "34";

  @Test
  void whatTheGenuineLibraryExportsOursExportsInTheSameVersionAsTheSameKind() throws IOException {
    Map<String, Integer> genuine = genuine();
    Map<String, Integer> ours = ElfSymbols.exportedBy(Verbs.file());

    Map<String, Integer> wanted = new TreeMap<>(genuine);
    wanted.keySet().removeAll(ofLongAgo(genuine.keySet()));
    assertThat(ours).containsAllEntriesOf(wanted);
  }

  @Test
  void whatLaterReleasesExportOursExportsInTheSameVersionAndNothingElse() throws IOException {
    Set<String> genuine = genuine().keySet();
    Set<String> ours = new TreeSet<>(ElfSymbols.exportedBy(Verbs.file()).keySet());
    ours.removeAll(genuine);
    assertThat(ours).isEqualTo(later(genuine));
  }

  /** Each private version has all symbols of the one before it, and more. */
  private static Set<String> later(Set<String> genuine) throws IOException {
    Set<String> later = new TreeSet<>();
    Set<String> before = new TreeSet<>();
    for (String symbol : genuine) {
      if (symbol.endsWith(PRIVATE_OF_44)) {
        before.add(symbol.substring(0, symbol.indexOf('@')));
      }
    }
    assertThat(before).contains("verbs_register_driver_34").hasSizeGreaterThan(60);
    before.remove("verbs_register_driver_34");
    for (String line : lines()) {
      String[] words = line.split(" +");
      String version = "@" + words[0];
      List<String> names = List.of(words).subList(1, words.length);
      if (version.startsWith(PRIVATE)) {
        before.addAll(names);
        before.forEach(name -> later.add(name + version));
        later.add("verbs_register_driver_" + version.substring(PRIVATE.length()) + version);
      } else {
        names.forEach(name -> later.add(name + version));
      }
    }
    later.removeAll(genuine);
    return later;
  }

  private static List<String> lines() throws IOException {
    try (InputStream text = ExportedSymbolsTest.class.getResourceAsStream(LATER)) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  private static Map<String, Integer> genuine() throws IOException {
    Path file = GenuineLibrary.file().toRealPath();
    assumeTrue(
        file.toString().endsWith(RELEASE),
        () -> file + ", installed here, is of another release than rdma-core 44");
    return ElfSymbols.exportedBy(file);
  }

  /**
   * Hidden duplicates in version 1.0 of symbols in 1.1, for programs that were linked before 2006
   * and whose structs differ. No current program uses them.
   */
  private static Set<String> ofLongAgo(Set<String> symbols) {
    Set<String> old = new TreeSet<>();
    for (String symbol : symbols) {
      if (symbols.contains(symbol.replace("@IBVERBS_1.0", "@IBVERBS_1.1"))
          && symbol.endsWith("@IBVERBS_1.0")) {
        old.add(symbol);
      }
    }
    assertThat(old).contains("ibv_open_device@IBVERBS_1.0").hasSizeLessThan(40);
    return old;
  }
}
