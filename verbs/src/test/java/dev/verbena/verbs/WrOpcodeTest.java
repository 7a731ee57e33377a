package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/** Checks the rows of the operations against a second copy of them. */
class WrOpcodeTest {
  private static final String ROWS =
      """
      RDMA_WRITE           RDMA_WRITE   SG_LIST REMOTE
      RDMA_WRITE_WITH_IMM  RDMA_WRITE   SG_LIST IMM_DATA REMOTE
      SEND                 SEND         SG_LIST
      SEND_WITH_IMM        SEND         SG_LIST IMM_DATA
      RDMA_READ            RDMA_READ    SG_LIST REMOTE
      ATOMIC_CMP_AND_SWP   COMP_SWAP    SG_LIST REMOTE COMPARE_ADD SWAP
      ATOMIC_FETCH_AND_ADD FETCH_ADD    SG_LIST REMOTE COMPARE_ADD
      LOCAL_INV            LOCAL_INV    INVALIDATE_RKEY
      BIND_MW              BIND_MW      BIND_MW
      SEND_WITH_INV        SEND         SG_LIST INVALIDATE_RKEY
      TSO                  TSO          SG_LIST TSO
      DRIVER1              SEND
      FLUSH                FLUSH        REMOTE FLUSH
      ATOMIC_WRITE         ATOMIC_WRITE SG_LIST REMOTE
      """;

  @Test
  void anOperationUsesItsFieldsAndCompletesAsItself() {
    List<String> rows = new ArrayList<>();
    for (WrOpcode opcode : WrOpcode.values()) {
      StringJoiner row = new StringJoiner(" ").add(opcode.name()).add(opcode.completion().name());
      for (SendWrField field : SendWrField.values()) {
        if (opcode.uses(field)) {
          row.add(field.name());
        }
      }
      rows.add(row.toString());
    }
    assertThat(rows)
        .containsExactlyElementsOf(ROWS.lines().map(row -> row.replaceAll(" +", " ")).toList());
  }

  @Test
  void noOperationCompletesAsAReceive() {
    assertThat(WrOpcode.values()).noneMatch(opcode -> opcode.completion().isReceive());
  }
}
