package dev.verbena.soft.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWrField;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Reth;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the rows of the operations with S1.1 and S1.2, and with packets. */
class SendOperationTest {
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
      actual.append(SendOperation.of(opcode).existsOn(type) ? 'X' : '-');
    }
    assertThat(actual).hasToString(row);
  }

  @ParameterizedTest
  @EnumSource(WrOpcode.class)
  void onlySendsAndWritesMayCopyTheirDataWhilePosting(WrOpcode opcode) {
    String name = opcode.name();
    assertThat(SendOperation.of(opcode).allowsInline())
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
      if (Arrays.stream(QpType.values()).anyMatch(t -> SendOperation.of(opcode).existsOn(t))) {
        assertThat(effective(opcode, QpType.RC, SendFlags.SIGNALED)).as(opcode.name()).isTrue();
      }
    }
  }

  /** A part of a message: whether it is the first, and whether the last. */
  private record Part(boolean first, boolean last) {}

  private static final Part ONLY = new Part(true, true);
  private static final List<Part> PARTS =
      List.of(new Part(true, false), new Part(false, false), new Part(false, true), ONLY);

  @ParameterizedTest
  @EnumSource(WrOpcode.class)
  void whatIsSentHasAPacketOnEachServiceOnWhichItExists(WrOpcode opcode) {
    SendOperation operation = SendOperation.of(opcode);
    for (QpType type : QpType.values()) {
      if (!operation.existsOn(type) || operation.executedHere || type == QpType.RAW_PACKET) {
        continue;
      }
      boolean cut = type != QpType.UD && operation.content == SendOperation.Content.DATA;
      for (Part part : cut ? PARTS : List.of(ONLY)) {
        int packet = packet(operation, part) + base(type);
        assertThat(Opcode.isValid(packet)).as("%s on %s, %s", opcode, type, part).isTrue();
        assertThat(Opcode.row(packet).operation).isEqualTo(operation.onWire());
        assertThat(Opcode.row(packet).startsMessage).isEqualTo(part.first());
        assertThat(Opcode.row(packet).endsMessage).isEqualTo(part.last());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(WrOpcode.class)
  void thePacketCarriesWhatTheRequestUses(WrOpcode opcode) {
    SendOperation operation = SendOperation.of(opcode);
    if (operation.executedHere) {
      assertThatThrownBy(operation::onWire)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(opcode.name());
      return;
    }
    int packet = packet(operation, ONLY);
    assertThat(Opcode.row(packet).has(ImmDt.BIT)).isEqualTo(opcode.uses(SendWrField.IMM_DATA));
    assertThat(Opcode.row(packet).has(Ieth.BIT))
        .isEqualTo(opcode.uses(SendWrField.INVALIDATE_RKEY));
    assertThat(Opcode.row(packet).has(Feth.BIT)).isEqualTo(opcode.uses(SendWrField.FLUSH));
    assertThat(Opcode.row(packet).has(AtomicEth.BIT))
        .isEqualTo(opcode.uses(SendWrField.COMPARE_ADD));
    assertThat(Opcode.row(packet).has(Reth.BIT) || Opcode.row(packet).has(AtomicEth.BIT))
        .isEqualTo(opcode.uses(SendWrField.REMOTE));
    assertThat(Opcode.row(packet).hasPayload)
        .isEqualTo(opcode.uses(SendWrField.SG_LIST) && !operation.answeredWithData);
  }

  @ParameterizedTest
  @EnumSource(WrOpcode.class)
  void onlyReliableTypesHaveOperationsWithAResponseOfTheirOwn(WrOpcode opcode) {
    SendOperation operation = SendOperation.of(opcode);
    for (QpType type : TYPES) {
      if (operation.existsOn(type) && operation.hasResponse) {
        assertThat(type).isIn(QpType.RC, QpType.XRC_SEND);
      }
    }
  }

  /** As the chunker does: anything besides data comes with the end of a message. */
  private static int packet(SendOperation operation, Part part) {
    return Opcode.ofRequest(
        operation.onWire(),
        part.first(),
        part.last(),
        part.last() && operation.uses(SendWrField.IMM_DATA),
        part.last() && operation.uses(SendWrField.INVALIDATE_RKEY));
  }

  private static int base(QpType type) {
    return switch (type) {
      case UC -> Opcode.UC_BASE;
      case UD -> Opcode.UD_BASE;
      case XRC_SEND -> Opcode.XRC_BASE;
      case RC, XRC_RECV, RAW_PACKET, DRIVER -> 0;
    };
  }

  private static boolean effective(WrOpcode opcode, QpType type, int flag) {
    return (SendOperation.of(opcode).effectiveFlags(type, SendFlags.ALL) & flag) != 0;
  }
}
