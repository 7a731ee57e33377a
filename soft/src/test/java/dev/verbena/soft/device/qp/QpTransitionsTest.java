package dev.verbena.soft.device.qp;

import static dev.verbena.verbs.QpState.ERR;
import static dev.verbena.verbs.QpState.INIT;
import static dev.verbena.verbs.QpState.RESET;
import static dev.verbena.verbs.QpState.RTR;
import static dev.verbena.verbs.QpState.RTS;
import static dev.verbena.verbs.QpState.SQD;
import static dev.verbena.verbs.QpState.SQE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Compares the transition table with a second copy of the tables of S4. */
class QpTransitionsTest {
  private static final List<QpType> TYPES =
      List.of(QpType.UD, QpType.UC, QpType.RC, QpType.XRC_SEND, QpType.XRC_RECV, QpType.RAW_PACKET);

  private static final Map<QpState, Set<QpState>> LEGAL =
      Map.of(
          RESET, EnumSet.of(RESET, INIT),
          INIT, EnumSet.of(RESET, ERR, INIT, RTR),
          RTR, EnumSet.of(RESET, ERR, RTS),
          RTS, EnumSet.of(RESET, ERR, RTS, SQD),
          SQD, EnumSet.of(RESET, ERR, RTS, SQD),
          SQE, EnumSet.of(RESET, ERR, RTS),
          ERR, EnumSet.of(RESET, ERR));

  @Test
  @Proves({"S4.1.1", "S4.1.2"})
  void everyTypeKnowsExactlyTheTransitionsOfTheRule() {
    for (QpType type : TYPES) {
      for (QpState from : QpState.values()) {
        for (QpState to : QpState.values()) {
          assertThat(QpTransitions.find(type, from, to) != null)
              .as("%s from %s to %s", type, from, to)
              .isEqualTo(LEGAL.getOrDefault(from, Set.of()).contains(to));
        }
      }
    }
  }

  @Test
  void aDriverQueuePairHasNone() {
    for (QpState from : QpState.values()) {
      assertThat(QpTransitions.find(QpType.DRIVER, from, RESET)).isNull();
    }
  }

  @Test
  @Proves("S4.3.1")
  void resetAndErrorTakeNoAttribute() {
    for (QpState to : List.of(RESET, ERR)) {
      LEGAL.forEach(
          (from, all) -> {
            if (all.contains(to)) {
              required(from, to, "", "", "", "", "", "");
              optional(from, to, "", "", "", "", "", "");
            }
          });
    }
  }

  @Test
  @Proves("S4.2/RESET-INIT")
  void resetToInitNeedsPortPartitionAndRightsOrQueueKey() {
    String connected = "PKEY_INDEX PORT ACCESS_FLAGS";
    required(
        RESET, INIT, "PKEY_INDEX PORT QKEY", connected, connected, connected, connected, "PORT");
    optional(RESET, INIT, "", "", "", "", "", "");
  }

  @Test
  @Proves({"S4.2/INIT-RTR", "S4.3/INIT-RTR"})
  void initToRtrNeedsThePeer() {
    String uc = "AV PATH_MTU DEST_QPN RQ_PSN";
    String rc = uc + " MAX_DEST_RD_ATOMIC MIN_RNR_TIMER";
    required(INIT, RTR, "", uc, rc, uc, rc, "");
    String options = "ALT_PATH ACCESS_FLAGS PKEY_INDEX";
    optional(INIT, RTR, "PKEY_INDEX QKEY", options, options, options, options, "");
  }

  @Test
  @Proves({"S4.2/RTR-RTS", "S4.3/RTR-RTS"})
  void rtrToRtsNeedsThePacketSequenceAndForReliableTypesTheRetries() {
    String rc = "TIMEOUT RETRY_CNT RNR_RETRY SQ_PSN MAX_QP_RD_ATOMIC";
    required(RTR, RTS, "SQ_PSN", "SQ_PSN", rc, rc, "TIMEOUT SQ_PSN", "");
    String uc = "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE";
    String withTimer = uc + " MIN_RNR_TIMER";
    optional(RTR, RTS, "CUR_STATE QKEY", uc, withTimer, uc, withTimer, "RATE_LIMIT");
  }

  @Test
  @Proves("S4.3/INIT-INIT")
  void initToInitChangesWhatInitSet() {
    String connected = "PKEY_INDEX PORT ACCESS_FLAGS";
    required(INIT, INIT, "", "", "", "", "", "");
    optional(INIT, INIT, "PKEY_INDEX PORT QKEY", connected, connected, connected, connected, "");
  }

  @Test
  @Proves("S4.3/RTS-RTS")
  void rtsToRtsChangesRightsAndTimers() {
    String uc = "CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE";
    String withTimer = uc + " MIN_RNR_TIMER";
    required(RTS, RTS, "", "", "", "", "", "");
    optional(RTS, RTS, "CUR_STATE QKEY", uc, withTimer, uc, withTimer, "RATE_LIMIT");
  }

  @Test
  @Proves("S4.3/RTS-SQD")
  void rtsToSqdMayAskForAnEvent() {
    String event = "EN_SQD_ASYNC_NOTIFY";
    required(RTS, SQD, "", "", "", "", "", "");
    optional(RTS, SQD, event, event, event, event, event, "");
  }

  @Test
  @Proves("S4.3/SQD-RTS")
  void sqdToRtsChangesRightsAndTimers() {
    String uc = "CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE";
    String withTimer = uc + " MIN_RNR_TIMER";
    required(SQD, RTS, "", "", "", "", "", "");
    optional(SQD, RTS, "CUR_STATE QKEY", uc, withTimer, uc, withTimer, "");
  }

  @Test
  @Proves("S4.3/SQD-SQD")
  void sqdToSqdChangesAlmostEverything() {
    String uc = "AV ALT_PATH ACCESS_FLAGS PKEY_INDEX PATH_MIG_STATE";
    String xrcSend = uc + " PORT TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC";
    String rc = xrcSend + " MAX_DEST_RD_ATOMIC MIN_RNR_TIMER";
    String xrcRecv = uc + " PORT TIMEOUT MAX_DEST_RD_ATOMIC MIN_RNR_TIMER";
    required(SQD, SQD, "", "", "", "", "", "");
    optional(SQD, SQD, "PKEY_INDEX QKEY", uc, rc, xrcSend, xrcRecv, "");
  }

  @Test
  void sqeToRtsChangesRightsOfUnreliableTypes() {
    required(SQE, RTS, "", "", "", "", "", "");
    optional(SQE, RTS, "CUR_STATE QKEY", "CUR_STATE ACCESS_FLAGS", "", "", "", "");
  }

  /** The columns are UD, UC, RC, XRC_SEND, XRC_RECV, RAW_PACKET. */
  private static void required(QpState from, QpState to, String... columns) {
    for (int i = 0; i < columns.length; i++) {
      assertThat(names(masks(i, from, to).required()))
          .as("required by %s from %s to %s", TYPES.get(i), from, to)
          .isEqualTo(names(columns[i]));
    }
  }

  private static void optional(QpState from, QpState to, String... columns) {
    for (int i = 0; i < columns.length; i++) {
      assertThat(names(masks(i, from, to).optional()))
          .as("optional for %s from %s to %s", TYPES.get(i), from, to)
          .isEqualTo(names(columns[i]));
    }
  }

  private static QpTransitions.Masks masks(int column, QpState from, QpState to) {
    QpTransitions.Masks masks = QpTransitions.find(TYPES.get(column), from, to);
    if (masks == null) {
      throw new AssertionError(TYPES.get(column) + " has no way from " + from + " to " + to);
    }
    return masks;
  }

  private static Set<String> names(int mask) {
    return mask == 0 ? Set.of() : names(QpAttrMask.names(mask).replace('|', ' '));
  }

  private static Set<String> names(String text) {
    return text.isEmpty()
        ? Set.of()
        : List.of(text.split(" ")).stream().collect(Collectors.toCollection(TreeSet::new));
  }
}
