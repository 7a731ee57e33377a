package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Structures are made by naming their fields: each has a setter and a reader of its name. */
class ValuesByNameTest {
  static List<Object[]> structures() {
    return List.of(
        structure(
            new QpAttr(),
            """
            qp_state cur_qp_state en_sqd_async_notify qp_access_flags pkey_index port_num qkey
            ah_attr path_mtu timeout retry_cnt rnr_retry rq_psn max_rd_atomic alt_ah_attr
            alt_pkey_index alt_port_num alt_timeout min_rnr_timer sq_psn max_dest_rd_atomic
            path_mig_state cap dest_qp_num
            """),
        structure(new QpInitAttr(QpType.UD), "send_cq recv_cq srq cap qp_type sq_sig_all"),
        structure(new Sge(), "addr length lkey"),
        structure(new RecvWr(), "wr_id sg_list"),
        structure(
            new SendWr(),
            """
            wr_id sg_list opcode send_flags imm_data remote_addr rkey compare_add swap ah
            remote_qpn remote_qkey
            """),
        structure(
            new WorkCompletion(),
            """
            wr_id status opcode vendor_err byte_len imm_data qp_num src_qp wc_flags pkey_index
            slid sl dlid_path_bits
            """));
  }

  private static Object[] structure(Object value, String fields) {
    return new Object[] {value.getClass().getSimpleName(), value, words(fields)};
  }

  private static List<String> words(String fields) {
    return List.of(fields.strip().split("\\s+"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("structures")
  @Proves("PY-011")
  void whatIsSetByNameIsReadByName(String type, Object value, List<String> fields)
      throws ReflectiveOperationException {
    for (String field : fields) {
      String name = CamelCase.of(field);
      Method reader = value.getClass().getMethod(name);
      Method setter = value.getClass().getMethod(name, reader.getReturnType());
      Object sample = sample(reader.getReturnType());
      assertThat(setter.invoke(value, sample)).as("%s.%s", type, name).isSameAs(value);
      assertThat(reader.invoke(value)).as(name).isEqualTo(sample);
    }
  }

  @ParameterizedTest
  @MethodSource("records")
  @Proves("PY-011")
  void smallOnesAreRecordsOfTheirFields(Class<?> type, String fields) {
    assertThat(Arrays.stream(type.getRecordComponents()).map(component -> component.getName()))
        .containsAll(words(fields).stream().map(CamelCase::of).toList());
  }

  static List<Object[]> records() {
    return List.of(
        new Object[] {
          QpCap.class, "max_send_wr max_recv_wr max_send_sge max_recv_sge max_inline_data"
        },
        new Object[] {
          AhAttr.class, "dlid sl src_path_bits static_rate is_global port_num dgid flow_label"
        },
        new Object[] {AhAttr.class, "sgid_index hop_limit traffic_class"});
  }

  private static Object sample(Class<?> type) {
    if (type == int.class) {
      return 1;
    }
    if (type == long.class) {
      return 2L;
    }
    if (type == boolean.class) {
      return true;
    }
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return constants[constants.length - 1];
    }
    if (type == AhAttr.class) {
      return AhAttr.to(Gid.parse("10.77.0.9"));
    }
    if (type == QpCap.class) {
      return new QpCap(1, 2, 3, 4, 5);
    }
    if (type == Sge[].class) {
      return new Sge[] {new Sge(1, 2, 3)};
    }
    return Stubs.of(type);
  }
}
