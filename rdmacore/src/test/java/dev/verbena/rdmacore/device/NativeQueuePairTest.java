package dev.verbena.rdmacore.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.call.FunctionNative;
import dev.verbena.verbs.DataInOrder;
import org.junit.jupiter.api.Test;

final class NativeQueuePairTest {
  private static final FunctionNative MISSING =
      FunctionNative.at("ibv_query_qp_data_in_order@IBVERBS_1.14", 0);

  /** Answers its first argument, the queue pair. */
  private static final FunctionNative SAYS = FunctionNative.ofLibc("labs");

  private static final int WHOLE_MSG = DataInOrder.WHOLE_MSG;
  private static final int BLOCKS = DataInOrder.ALIGNED_128_BYTES;
  private static final int RETURN_CAPS = DataInOrder.RETURN_CAPS;

  @Test
  void aLibraryThatCannotBeAskedPromisesNoOrder() {
    assertThat(ask(MISSING, WHOLE_MSG, 0)).isZero();
    assertThat(ask(MISSING, WHOLE_MSG, RETURN_CAPS)).isZero();
  }

  @Test
  void whatALibraryPromisesIsYesOrNoUnlessItsBitsAreAskedFor() {
    assertThat(ask(SAYS, WHOLE_MSG | BLOCKS, 0)).isEqualTo(1);
    assertThat(ask(SAYS, BLOCKS, 0)).isZero();
    assertThat(ask(SAYS, BLOCKS, RETURN_CAPS)).isEqualTo(BLOCKS);
    assertThat(ask(SAYS, WHOLE_MSG, RETURN_CAPS)).isEqualTo(WHOLE_MSG | BLOCKS);
    assertThat(ask(SAYS, 0, RETURN_CAPS)).isZero();
  }

  private static int ask(FunctionNative function, int promised, int flags) {
    return NativeQueuePair.dataInOrder(function, "queryDataInOrder", promised, 0, flags);
  }
}
