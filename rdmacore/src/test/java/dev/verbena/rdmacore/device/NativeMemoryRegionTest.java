package dev.verbena.rdmacore.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

final class NativeMemoryRegionTest {
  private static final MemorySegment MEMORY = MemorySegment.ofAddress(4096);

  private static final FunctionNative MISSING = FunctionNative.at("ibv_reg_mr_iova2", 0);

  /** Answers its first argument, the protection domain. */
  private static final FunctionNative PLAIN = FunctionNative.ofLibc("labs");

  @Test
  void aLibraryWithoutAddressesOfOurChoiceRegistersOthers() {
    assertThat(register(4096).value()).isEqualTo(17);
  }

  @Test
  void aLibraryWithoutAddressesOfOurChoiceIsNotAskedToIgnoreThem() {
    assertThatThrownBy(() -> register(8192))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EOPNOTSUPP))
        .hasMessageContaining("ibv_reg_mr_iova2");
  }

  private static Answer register(long iova) {
    return NativeMemoryRegion.call(MISSING, PLAIN, "regMrIova", 17, MEMORY, iova, 0);
  }
}
