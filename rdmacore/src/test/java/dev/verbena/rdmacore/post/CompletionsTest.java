package dev.verbena.rdmacore.post;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CompletionsTest {
  private final Arena arena = Arena.ofConfined();
  private final long struct = arena.allocate(IbvWc.LAYOUT.size(), Long.BYTES).address();
  private final WorkCompletion wc = new WorkCompletion();

  @BeforeEach
  void fill() {
    Host.setLong(struct + IbvWc.WR_ID, 7);
    Host.setInt(struct + IbvWc.QP_NUM, 0x11);
    Host.setInt(struct + IbvWc.VENDOR_ERR, 0x81);
    Host.setInt(struct + IbvWc.OPCODE, WcOpcode.RECV.number());
    Host.setInt(struct + IbvWc.BYTE_LEN, 100);
    Host.setInt(struct + IbvWc.WC_FLAGS, WcFlags.WITH_IMM);
    Host.setInt(struct + IbvWc.IMM_DATA, Integer.reverseBytes(5));
  }

  @AfterEach
  void close() {
    arena.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {24, 4711, -1, Integer.MIN_VALUE})
  void aStatusThatIsUnknownIsAnErrorThatNamesIt(int status) {
    Host.setInt(struct + IbvWc.STATUS, status);
    Completions.read(struct, wc);
    assertThat(wc.status()).isEqualTo(WcStatus.GENERAL_ERR);
    assertThat(wc.wrId()).isEqualTo(7);
    assertThat(wc.qpNum()).isEqualTo(0x11);
    assertThat(wc.vendorErr()).isEqualTo(0x81);
    assertThat(wc.vendorErrText()).contains("status is " + status).contains("does not know");
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 127, 130, 4711, -1})
  void anOpcodeThatIsUnknownIsAnErrorThatNamesIt(int opcode) {
    Host.setInt(struct + IbvWc.OPCODE, opcode);
    Completions.read(struct, wc);
    assertThat(wc.status()).isEqualTo(WcStatus.GENERAL_ERR);
    assertThat(wc.wrId()).isEqualTo(7);
    assertThat(wc.vendorErrText()).contains("opcode " + opcode).contains("does not know");
  }

  @Test
  void aFailureLeavesNothingOfTheCompletionBefore() {
    Completions.read(struct, wc);
    assertThat(wc.isSuccess()).isTrue();
    assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV);
    assertThat(wc.immData()).isEqualTo(5);
    Host.setInt(struct + IbvWc.STATUS, WcStatus.WR_FLUSH_ERR.number());
    Completions.read(struct, wc);
    assertThat(wc.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    assertThat(wc.wrId()).isEqualTo(7);
    assertThat(wc.vendorErr()).isEqualTo(0x81);
    assertThat(wc.byteLen()).isZero();
    assertThat(wc.wcFlags()).isZero();
    assertThat(wc.immData()).isZero();
    assertThat(wc.opcode()).isEqualTo(new WorkCompletion().opcode());
  }
}
