package dev.verbena.rdmacore.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.rdmacore.asserts.LayoutAsserts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayoutAssertsTest {
  private static final String VERBS = "infiniband/verbs.h";

  @TempDir private Path folder;

  /** Headers that do not fit are an error only where the drop-in has to be built. */
  @Test
  void allLayoutsAreThoseOfTheInstalledHeaders() {
    CCompiler.assumeItFinds(VERBS, "libibverbs-dev");
    CCompiler.Verdict verdict = CCompiler.compile(LayoutAsserts.source(VERBS, Layouts.all()));
    boolean isRequired = "required".equals(System.getProperty("verbena.shim"));
    assumeTrue(
        verdict.accepted() || isRequired,
        () -> "the drop-in cannot be built with the headers installed here: " + verdict.messages());
    assertThat(verdict).isEqualTo(new CCompiler.Verdict(true, ""));
  }

  @Test
  void aWrongOffsetIsRefusedAndNamed() {
    StructLayout layout = new StructLayout("struct ibv_send_wr", 128);
    layout.field("wr.rdma.rkey", 52, 4);
    assertRefused(layout, "struct ibv_send_wr.wr.rdma.rkey");
  }

  @Test
  void aWrongFieldSizeIsRefusedAndNamed() {
    StructLayout layout = new StructLayout("struct ibv_send_wr", 128);
    layout.field("wr.rdma.rkey", 48, 8);
    assertRefused(layout, "struct ibv_send_wr.wr.rdma.rkey");
  }

  @Test
  void aWrongStructSizeIsRefusedAndNamed() {
    assertRefused(new StructLayout("struct ibv_send_wr", 120), "struct ibv_send_wr");
  }

  @Test
  void onlyAStructThatMayGrowMayBeLongerInTheHeaders() {
    CCompiler.assumeItFinds(VERBS, "libibverbs-dev");
    String shorter =
        LayoutAsserts.source(VERBS, List.of(StructLayout.growing("struct ibv_qp_ex", 344)));
    assertThat(CCompiler.compile(shorter)).isEqualTo(new CCompiler.Verdict(true, ""));
    assertRefused(new StructLayout("struct ibv_qp_ex", 8), "struct ibv_qp_ex");
    assertRefused(StructLayout.growing("struct ibv_qp_ex", 1024), "struct ibv_qp_ex");
  }

  /** The shorter struct, as of an older release, starts with the second member of the installed. */
  @Test
  void aStructThatGrowsAtItsStartKeepsTheDistancesFromItsEnd() {
    CCompiler.assumeItFinds(VERBS, "libibverbs-dev");
    StructLayout older = StructLayout.growingAtStart("struct ibv_qp_cap", 16);
    older.field("max_send_sge", 4, 4);
    older.field("max_inline_data", 12, 4);
    assertThat(CCompiler.compile(LayoutAsserts.source(VERBS, List.of(older))))
        .isEqualTo(new CCompiler.Verdict(true, ""));
    StructLayout wrong = StructLayout.growingAtStart("struct ibv_qp_cap", 16);
    wrong.field("max_send_sge", 8, 4);
    assertRefused(wrong, "struct ibv_qp_cap.max_send_sge");
    assertRefused(StructLayout.growingAtStart("struct ibv_qp_cap", 24), "struct ibv_qp_cap");
  }

  @Test
  void aMemberThatTheHeadersDoNotKnowIsRefusedAndNamed() {
    StructLayout layout = new StructLayout("struct ibv_sge", 16);
    layout.field("colour", 0, 8);
    assertRefused(layout, "colour");
  }

  @Test
  void theProgramWritesTheAssertionsOfAllLayoutsToItsFile() throws IOException {
    Path file = folder.resolve("layouts.c");
    LayoutAsserts.main(new String[] {file.toString()});
    assertThat(Files.readString(file)).isEqualTo(LayoutAsserts.source(VERBS, Layouts.all()));
  }

  @Test
  void theProgramWantsOneFile() {
    assertThatThrownBy(() -> LayoutAsserts.main(new String[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("FILE");
  }

  private static void assertRefused(StructLayout wrong, String name) {
    CCompiler.assumeItFinds(VERBS, "libibverbs-dev");
    CCompiler.Verdict verdict = CCompiler.compile(LayoutAsserts.source(VERBS, List.of(wrong)));
    assertThat(verdict.accepted()).isFalse();
    assertThat(verdict.messages().lines().filter(line -> line.contains("error:")))
        .first()
        .asString()
        .contains(name);
  }
}
