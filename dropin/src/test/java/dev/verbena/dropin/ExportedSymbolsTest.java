package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A program that is linked with rdma-core's library finds in ours every symbol it may ask for. */
final class ExportedSymbolsTest {
  /** As in the name of the installed file of this release, libibverbs.so.1.14.44.0. */
  private static final String RELEASE = ".44.0";

  /** Providers of later releases, up to 56, need these as well to be loaded. */
  private static final Set<String> OF_LATER_RELEASES =
      Set.of("ibv_cmd_create_cq_ex2@IBVERBS_PRIVATE_34", "ibv_wr_opcode_str@IBVERBS_PRIVATE_34");

  @Test
  void whatTheGenuineLibraryExportsOursExportsInTheSameVersionAsTheSameKind() throws IOException {
    Map<String, Integer> genuine = genuine();
    Map<String, Integer> ours = ElfSymbols.exportedBy(Verbs.file());

    Map<String, Integer> wanted = new TreeMap<>(genuine);
    wanted.keySet().removeAll(ofLongAgo(genuine.keySet()));
    assertThat(ours).containsAllEntriesOf(wanted);
  }

  @Test
  void oursExportsNothingBeyondThatButWhatProvidersOfLaterReleasesNeed() throws IOException {
    Map<String, Integer> genuine = genuine();
    Set<String> more = new TreeSet<>(ElfSymbols.exportedBy(Verbs.file()).keySet());
    more.removeAll(genuine.keySet());
    assertThat(more).isEqualTo(OF_LATER_RELEASES);
  }

  private static Map<String, Integer> genuine() throws IOException {
    Path file = GenuineLibrary.file().toRealPath();
    assumeTrue(
        file.toString().endsWith(RELEASE),
        () -> file + ", installed here, is of another release than rdma-core 44");
    return ElfSymbols.exportedBy(file);
  }

  /**
   * Hidden duplicates in version 1.0 of what is there in 1.1: for programs that were linked before
   * 2006, whose structs are different ones. No program of today has them.
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
