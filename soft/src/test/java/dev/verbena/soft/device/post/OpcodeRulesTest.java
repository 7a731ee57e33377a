package dev.verbena.soft.device.post;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OpcodeRulesTest {
  private static final List<QpType> TYPES =
      List.of(
          QpType.RC,
          QpType.UC,
          QpType.UD,
          QpType.XRC_SEND,
          QpType.RAW_PACKET,
          QpType.XRC_RECV,
          QpType.DRIVER);

  @ParameterizedTest
  @CsvSource({
    "SEND, XXXXX--",
    "SEND_WITH_IMM, XXXX---",
    "SEND_WITH_INV, XX-X---",
    "RDMA_WRITE, XX-X---",
    "RDMA_WRITE_WITH_IMM, XX-X---",
    "RDMA_READ, X--X---",
    "ATOMIC_CMP_AND_SWP, X--X---",
    "ATOMIC_FETCH_AND_ADD, X--X---",
    "LOCAL_INV, XX-X---",
    "BIND_MW, XX-X---",
    "TSO, --X-X--",
    "FLUSH, X--X---",
    "ATOMIC_WRITE, X--X---",
    "DRIVER1, -------"
  })
  void operationsExistOnTheTypesOfTheTable(WrOpcode opcode, String row) {
    StringBuilder actual = new StringBuilder();
    for (QpType type : TYPES) {
      actual.append(OpcodeRules.isLegal(opcode, type) ? 'X' : '-');
    }
    assertThat(actual).hasToString(row);
  }

  @ParameterizedTest
  @EnumSource(WrOpcode.class)
  void onlySendsAndWritesMayCopyTheirDataWhilePosting(WrOpcode opcode) {
    String name = opcode.name();
    assertThat(OpcodeRules.allowsInline(opcode))
        .isEqualTo(name.startsWith("SEND") || name.contains("WRITE"));
  }

  @ParameterizedTest
  @EnumSource(WrOpcode.class)
  void onlyMessagesThatTakeAReceiveCanBeSolicited(WrOpcode opcode) {
    boolean solicits = opcode.name().startsWith("SEND") || opcode == WrOpcode.RDMA_WRITE_WITH_IMM;
    assertThat(effective(opcode, QpType.RC, SendFlags.SOLICITED)).isEqualTo(solicits);
  }

  @Test
  void fencesMeanSomethingOnReliableTypesOnly() {
    assertThat(effective(WrOpcode.SEND, QpType.RC, SendFlags.FENCE)).isTrue();
    assertThat(effective(WrOpcode.SEND, QpType.XRC_SEND, SendFlags.FENCE)).isTrue();
    assertThat(effective(WrOpcode.SEND, QpType.UC, SendFlags.FENCE)).isFalse();
    assertThat(effective(WrOpcode.SEND, QpType.UD, SendFlags.FENCE)).isFalse();
  }

  @Test
  void everyOperationOfAnyTypeCanBeSignaled() {
    for (WrOpcode opcode : WrOpcode.values()) {
      if (Arrays.stream(QpType.values()).anyMatch(t -> OpcodeRules.isLegal(opcode, t))) {
        assertThat(effective(opcode, QpType.RC, SendFlags.SIGNALED)).as(opcode.name()).isTrue();
      }
    }
  }

  private static boolean effective(WrOpcode opcode, QpType type, int flag) {
    return (OpcodeRules.effectiveFlags(opcode, type, SendFlags.ALL) & flag) != 0;
  }
}
