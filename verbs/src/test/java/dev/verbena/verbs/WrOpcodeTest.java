package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rows of the operations, written down here a second time. */
class WrOpcodeTest {
  @ParameterizedTest
  @CsvSource({
    "RDMA_WRITE, RDMA_WRITE, SG_LIST REMOTE",
    "RDMA_WRITE_WITH_IMM, RDMA_WRITE, SG_LIST IMM_DATA REMOTE",
    "SEND, SEND, SG_LIST",
    "SEND_WITH_IMM, SEND, SG_LIST IMM_DATA",
    "SEND_WITH_INV, SEND, SG_LIST INVALIDATE_RKEY",
    "RDMA_READ, RDMA_READ, SG_LIST REMOTE",
    "ATOMIC_CMP_AND_SWP, COMP_SWAP, SG_LIST REMOTE COMPARE_ADD SWAP",
    "ATOMIC_FETCH_AND_ADD, FETCH_ADD, SG_LIST REMOTE COMPARE_ADD",
    "LOCAL_INV, LOCAL_INV, INVALIDATE_RKEY",
    "BIND_MW, BIND_MW, BIND_MW",
    "TSO, TSO, SG_LIST TSO",
    "DRIVER1, SEND, ''",
    "FLUSH, FLUSH, REMOTE FLUSH",
    "ATOMIC_WRITE, ATOMIC_WRITE, SG_LIST REMOTE"
  })
  void anOperationUsesItsFieldsAndCompletesAsItself(
      WrOpcode opcode, WcOpcode completion, String fields) {
    assertThat(opcode.completion()).isEqualTo(completion);
    assertThat(
            Arrays.stream(SendWrField.values())
                .filter(opcode::uses)
                .map(Enum::name)
                .collect(Collectors.joining(" ")))
        .isEqualTo(fields);
  }

  @Test
  void noOperationCompletesAsAReceive() {
    assertThat(WrOpcode.values()).noneMatch(opcode -> opcode.completion().isReceive());
  }
}
