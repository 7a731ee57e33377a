package dev.verbena.rdmacore.umad;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.asserts.LayoutAsserts;
import dev.verbena.rdmacore.layout.CCompiler;
import java.util.List;
import org.junit.jupiter.api.Test;

class UmadLayoutsTest {
  @Test
  void theLayoutsAreThoseOfTheInstalledHeader() {
    String header = "infiniband/umad.h";
    CCompiler.assumeItFinds(header, "libibumad-dev");
    CCompiler.Verdict verdict =
        CCompiler.compile(
            LayoutAsserts.source(
                header, List.of(IbUserMad.LAYOUT, UmadCa.LAYOUT, UmadPort.LAYOUT)));
    assertThat(verdict).isEqualTo(new CCompiler.Verdict(true, ""));
  }
}
