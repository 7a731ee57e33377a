package dev.verbena.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FieldWriterTest {
  private final StringWriter text = new StringWriter();
  private final FieldWriter fields = new FieldWriter(new PrintWriter(text));

  @Test
  void deviceAttributesHaveTheirValuesAtColumn40() {
    fields.device("transport", "InfiniBand (0)");
    fields.device("fw_ver", "1");
    fields.device("vendor_part_id", 7);
    fields.device("max_total_mcast_qp_attach", 8);

    assertThat(text.toString().lines())
        .containsExactly(
            "\ttransport:\t\t\tInfiniBand (0)",
            "\tfw_ver:\t\t\t\t1",
            "\tvendor_part_id:\t\t\t7",
            "\tmax_total_mcast_qp_attach:\t8");
  }

  @Test
  void portAttributesHaveTheirValuesAtColumn48() {
    fields.port("state", "PORT_ACTIVE (4)");
    fields.port("max_mtu", "4096 (5)");
    fields.port("subnet_timeout", 0);
    fields.port("GID[  0]", "::ffff:127.0.0.1, RoCE v2");

    assertThat(text.toString().lines())
        .containsExactly(
            "\t\t\tstate:\t\t\tPORT_ACTIVE (4)",
            "\t\t\tmax_mtu:\t\t4096 (5)",
            "\t\t\tsubnet_timeout:\t\t0",
            "\t\t\tGID[  0]:\t\t::ffff:127.0.0.1, RoCE v2");
  }

  @Test
  void attributesInAGroupHaveTheirValuesAtColumn40() {
    fields.group("tso_caps");
    fields.member("max_tso", 9);
    fields.member("max_rwq_indirection_tables", 10);
    fields.innerGroup("supported_qp");
    fields.more("SUPPORT_UD");

    assertThat(text.toString().lines())
        .containsExactly(
            "\ttso_caps:",
            "\t\tmax_tso:\t\t9",
            "\t\tmax_rwq_indirection_tables:\t10",
            "\t\tsupported_qp:",
            "\t\t\t\t\tSUPPORT_UD");
  }

  @Test
  void bitsWithoutANameStandBehindTheOthersAsANumber() {
    fields.flags(List.of(new FieldWriter.Flag(1, "ONE"), new FieldWriter.Flag(4, "FOUR")), 0x1d);

    assertThat(text.toString().lines().map(String::strip))
        .containsExactly("ONE", "FOUR", "Unknown flags: 0x18");
  }
}
