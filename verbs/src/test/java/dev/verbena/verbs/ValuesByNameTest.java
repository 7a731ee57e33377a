package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Structures are made by naming their fields: each has a setter and a reader of its name. */
class ValuesByNameTest {
  /** A class that is a structure, and fields of it that are set and read alone. */
  private record Structure(Object value, String... fields) {
    @Override
    public String toString() {
      return value.getClass().getSimpleName();
    }
  }

  static List<Structure> structures() {
    return List.of(
        new Structure(
            new QpAttr(),
            "qp_state cur_qp_state qp_access_flags pkey_index port_num qkey ah_attr path_mtu"
                .split(" ")),
        new Structure(
            new QpAttr(),
            "timeout retry_cnt rnr_retry rq_psn max_rd_atomic alt_ah_attr alt_pkey_index"
                .split(" ")),
        new Structure(
            new QpAttr(),
            "alt_port_num alt_timeout min_rnr_timer sq_psn max_dest_rd_atomic path_mig_state cap"
                .split(" ")),
        new Structure(new QpAttr(), "dest_qp_num", "en_sqd_async_notify"),
        new Structure(
            new QpInitAttr(QpType.UD), "send_cq recv_cq srq cap qp_type sq_sig_all".split(" ")),
        new Structure(new Sge(), "addr", "length", "lkey"),
        new Structure(new RecvWr(), "wr_id", "sg_list"),
        new Structure(
            new SendWr(),
            "wr_id sg_list opcode send_flags imm_data remote_addr rkey compare_add swap ah"
                .split(" ")),
        new Structure(new SendWr(), "remote_qpn", "remote_qkey"),
        new Structure(
            new WorkCompletion(),
            "wr_id status opcode byte_len imm_data qp_num src_qp wc_flags pkey_index".split(" ")),
        new Structure(new WorkCompletion(), "slid", "sl", "dlid_path_bits", "vendor_err"));
  }

  @ParameterizedTest
  @MethodSource("structures")
  @Proves("PY-011")
  void whatIsSetByNameIsReadByName(Structure structure) throws ReflectiveOperationException {
    for (String field : structure.fields) {
      String name = camelCase(field);
      Object value = structure.value;
      Method reader = value.getClass().getMethod(name);
      Method setter = value.getClass().getMethod(name, reader.getReturnType());
      Object sample = sample(reader.getReturnType());
      assertThat(setter.invoke(value, sample)).as(name).isSameAs(value);
      assertThat(reader.invoke(value)).as(name).isEqualTo(sample);
    }
  }

  @ParameterizedTest
  @MethodSource("records")
  @Proves("PY-011")
  void smallOnesAreRecordsOfTheirFields(Class<?> type, String fields) {
    assertThat(Arrays.stream(type.getRecordComponents()).map(component -> component.getName()))
        .containsAll(Arrays.stream(fields.split(" ")).map(ValuesByNameTest::camelCase).toList());
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

  private static String camelCase(String field) {
    StringBuilder name = new StringBuilder();
    for (String word : field.split("_")) {
      name.append(
          name.isEmpty()
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return name.toString();
  }
}
