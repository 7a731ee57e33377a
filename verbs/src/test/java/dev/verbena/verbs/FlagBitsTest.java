package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The bits that libibverbs gives its flags; nothing more and nothing less. */
class FlagBitsTest {
  @Test
  @Proves("S0.6")
  void sendFlagsAndCompletionFlagsHaveTheirBits() {
    assertThat(constants(SendFlags.class))
        .isEqualTo(
            Map.of(
                "FENCE", 1, "SIGNALED", 2, "SOLICITED", 4, "INLINE", 8, "IP_CSUM", 16, "ALL", 31));
    assertThat(constants(WcFlags.class))
        .isEqualTo(
            Map.of(
                "GRH", 1,
                "WITH_IMM", 2,
                "IP_CSUM_OK", 4,
                "WITH_INV", 8,
                "TM_SYNC_REQ", 16,
                "TM_MATCH", 32,
                "TM_DATA_VALID", 64));
  }

  @Test
  @Proves("S0.7")
  void accessFlagsHaveTheirBits() {
    assertThat(constants(Access.class))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("LOCAL_WRITE", 1),
                Map.entry("REMOTE_WRITE", 2),
                Map.entry("REMOTE_READ", 4),
                Map.entry("REMOTE_ATOMIC", 8),
                Map.entry("MW_BIND", 16),
                Map.entry("ZERO_BASED", 32),
                Map.entry("ON_DEMAND", 64),
                Map.entry("HUGETLB", 128),
                Map.entry("FLUSH_GLOBAL", 256),
                Map.entry("FLUSH_PERSISTENT", 512),
                Map.entry("RELAXED_ORDERING", 1 << 20),
                Map.entry("OPTIONAL_RANGE", 0x3ff00000)));
    assertThat(Access.of()).isZero();
    assertThat(Access.of(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_READ)).isEqualTo(5);
  }

  @Test
  @Proves("S9.8")
  void fieldsOfFramesHaveTheirBits() {
    assertThat(constants(RxHashFields.class, Long.class))
        .isEqualTo(
            Map.of(
                "SRC_IPV4", 1L,
                "DST_IPV4", 2L,
                "SRC_IPV6", 4L,
                "DST_IPV6", 8L,
                "SRC_PORT_TCP", 16L,
                "DST_PORT_TCP", 32L,
                "SRC_PORT_UDP", 64L,
                "DST_PORT_UDP", 128L));
    assertThat(constants(RxHashFunction.class)).isEqualTo(Map.of("TOEPLITZ", 1));
  }

  @Test
  @Proves("S0.9")
  void sendOperationsHaveTheirBits() {
    assertThat(constants(SendOps.class))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("RDMA_WRITE", 1),
                Map.entry("RDMA_WRITE_WITH_IMM", 1 << 1),
                Map.entry("SEND", 1 << 2),
                Map.entry("SEND_WITH_IMM", 1 << 3),
                Map.entry("RDMA_READ", 1 << 4),
                Map.entry("ATOMIC_CMP_AND_SWP", 1 << 5),
                Map.entry("ATOMIC_FETCH_AND_ADD", 1 << 6),
                Map.entry("LOCAL_INV", 1 << 7),
                Map.entry("BIND_MW", 1 << 8),
                Map.entry("SEND_WITH_INV", 1 << 9),
                Map.entry("TSO", 1 << 10),
                Map.entry("FLUSH", 1 << 11),
                Map.entry("ATOMIC_WRITE", 1 << 12)));
  }

  @Test
  @Proves("WR-034")
  void everyOpcodeButDriver1HasTheSendOperationOfItsName() {
    Map<String, Integer> bits = constants(SendOps.class);
    for (WrOpcode opcode : WrOpcode.values()) {
      assertThat(SendOps.of(opcode))
          .as(opcode.name())
          .isEqualTo(opcode == WrOpcode.DRIVER1 ? 0 : bits.get(opcode.name()));
    }
    assertThat(bits).hasSize(WrOpcode.values().length - 1);
  }

  @Test
  @Proves("S0.10")
  void queuePairAttributesHaveTheirBits() {
    Map<String, Integer> expected = new LinkedHashMap<>();
    String[] names = {
      "STATE",
      "CUR_STATE",
      "EN_SQD_ASYNC_NOTIFY",
      "ACCESS_FLAGS",
      "PKEY_INDEX",
      "PORT",
      "QKEY",
      "AV",
      "PATH_MTU",
      "TIMEOUT",
      "RETRY_CNT",
      "RNR_RETRY",
      "RQ_PSN",
      "MAX_QP_RD_ATOMIC",
      "ALT_PATH",
      "MIN_RNR_TIMER",
      "SQ_PSN",
      "MAX_DEST_RD_ATOMIC",
      "PATH_MIG_STATE",
      "CAP",
      "DEST_QPN"
    };
    for (int bit = 0; bit < names.length; bit++) {
      expected.put(names[bit], 1 << bit);
    }
    expected.put("RATE_LIMIT", 1 << 25);
    assertThat(constants(QpAttrMask.class)).isEqualTo(expected);
    expected.forEach((name, bit) -> assertThat(QpAttrMask.names(bit)).isEqualTo(name));
  }

  @Test
  void masksAreNamedBitByBit() {
    assertThat(QpAttrMask.names(0)).isEqualTo("nothing");
    assertThat(QpAttrMask.names(QpAttrMask.STATE | QpAttrMask.PORT | 1 << 21 | 1 << 31))
        .isEqualTo("STATE|PORT|bit 21|bit 31");
  }

  @Test
  void otherFlagsHaveTheirBits() {
    assertThat(constants(ReregFlags.class))
        .isEqualTo(Map.of("CHANGE_TRANSLATION", 1, "CHANGE_PD", 2, "CHANGE_ACCESS", 4));
    assertThat(constants(SrqAttrMask.class)).isEqualTo(Map.of("MAX_WR", 1, "LIMIT", 2));
    assertThat(constants(FlushType.class)).isEqualTo(Map.of("GLOBAL", 1, "PERSISTENT", 2));
    assertThat(constants(AdviseMrFlags.class)).isEqualTo(Map.of("FLUSH", 1));
    assertThat(constants(OdpGeneralCaps.class, Long.class))
        .isEqualTo(Map.of("SUPPORT", 1L, "SUPPORT_IMPLICIT", 2L));
    assertThat(constants(OdpTransportCaps.class))
        .isEqualTo(
            Map.of(
                "SEND",
                1,
                "RECV",
                2,
                "WRITE",
                4,
                "READ",
                8,
                "ATOMIC",
                16,
                "SRQ_RECV",
                32,
                "FLUSH",
                64,
                "ATOMIC_WRITE",
                128));
    assertThat(constants(CreateCqFlags.class))
        .isEqualTo(Map.of("SINGLE_THREADED", 1, "IGNORE_OVERRUN", 2));
    assertThat(constants(PortCap.class))
        .isEqualTo(
            Map.of(
                "SM",
                1 << 1,
                "CM_SUP",
                1 << 16,
                "CLIENT_REG_SUP",
                1 << 25,
                "IP_BASED_GIDS",
                1 << 26));
    assertThat(constants(WcExFlags.class))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("BYTE_LEN", 1),
                Map.entry("IMM", 1 << 1),
                Map.entry("QP_NUM", 1 << 2),
                Map.entry("SRC_QP", 1 << 3),
                Map.entry("SLID", 1 << 4),
                Map.entry("SL", 1 << 5),
                Map.entry("DLID_PATH_BITS", 1 << 6),
                Map.entry("COMPLETION_TIMESTAMP", 1 << 7),
                Map.entry("CVLAN", 1 << 8),
                Map.entry("FLOW_TAG", 1 << 9),
                Map.entry("TM_INFO", 1 << 10),
                Map.entry("COMPLETION_TIMESTAMP_WALLCLOCK", 1 << 11),
                Map.entry("STANDARD_FLAGS", 0x7f)));
    assertThat(constants(DeviceCap.class))
        .containsEntry("RESIZE_MAX_WR", 1)
        .containsEntry("RC_RNR_NAK_GEN", 1 << 12)
        .containsEntry("SRQ_RESIZE", 1 << 13)
        .containsEntry("MEM_WINDOW", 1 << 17)
        .containsEntry("UD_IP_CSUM", 1 << 18)
        .containsEntry("XRC", 1 << 20)
        .containsEntry("MEM_MGT_EXTENSIONS", 1 << 21)
        .containsEntry("MEM_WINDOW_TYPE_2A", 1 << 23)
        .containsEntry("MEM_WINDOW_TYPE_2B", 1 << 24)
        .containsEntry("RC_IP_CSUM", 1 << 25)
        .containsEntry("RAW_IP_CSUM", 1 << 26)
        .containsEntry("MANAGED_FLOW_STEERING", 1 << 29);
  }

  private static Map<String, Integer> constants(Class<?> type) {
    return constants(type, Integer.class);
  }

  private static <T> Map<String, T> constants(Class<?> type, Class<T> kind) {
    Map<String, T> values = new LinkedHashMap<>();
    for (Field field : type.getFields()) {
      if (Modifier.isStatic(field.getModifiers())) {
        try {
          values.put(field.getName(), kind.cast(field.get(null)));
        } catch (IllegalAccessException e) {
          throw new AssertionError("public fields are accessible", e);
        }
      }
    }
    return values;
  }
}
