package dev.verbena.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DevinfoTest {
  private static final String LINKS = "\tlinks:\t\t\t\t";

  private final String address = TestAddresses.next();
  private final String device = "soft:" + address;

  @Test
  void devicesListsSoft0WithItsGuid() throws Exception {
    CommandRun run = CommandRun.of("devices");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).startsWith("    device          \t   node GUID");
    assertThat(run.out().lines()).anyMatch(line -> line.matches(" {4}soft0 {11} *\t[0-9a-f]{16}"));
  }

  @Test
  void listPrintsNamesOnly() throws Exception {
    CommandRun run = CommandRun.of("devinfo", "-l");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("HCA", "\tsoft0").doesNotContain("transport");
  }

  @Test
  void theShortFormHasTheFieldsOfIbvDevinfo() throws Exception {
    CommandRun run = CommandRun.of("devinfo", "-d", device);

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().map(line -> line.strip().split("\\s")[0]))
        .containsSubsequence(
            "hca_id:",
            "transport:",
            "fw_ver:",
            "node_guid:",
            "sys_image_guid:",
            "vendor_id:",
            "vendor_part_id:",
            "hw_ver:",
            "phys_port_cnt:",
            "port:",
            "state:",
            "max_mtu:",
            "active_mtu:",
            "sm_lid:",
            "port_lid:",
            "port_lmc:",
            "link_layer:");
    assertThat(run.out())
        .contains("\ttransport:\t\t\tInfiniBand (0)", "PORT_ACTIVE (4)", "\t\tEthernet")
        .doesNotContain("max_qp:", "links:");
  }

  @Test
  void theLongFormAddsLimitsAndTheGid() throws Exception {
    CommandRun run = CommandRun.of("devinfo", "-v", "-d", device, "-i", "1");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("max_qp:", "device_cap_flags:", "local_ca_ack_delay:", "phys_state:", "LINK_UP")
        .contains("\t\t\tGID[  0]:\t\t::ffff:" + address + ", RoCE v2");
  }

  @Test
  void theLongFormSaysHowTheDeviceWasOpened() throws Exception {
    CommandRun run = CommandRun.of("devinfo", "-v", "-d", device + "?link=packet");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("\tdevice_spec:\t\t\t" + device + "?link=packet\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          soft:%s?link=udp | UDP
          soft:%s?link=packet | packets in the memory of this process
          soft:%s?faults=drop:0.5 | UDP, also to other processes of this computer (a device with \
          faults or a capture shares no memory)
          soft:new | calls within this process, packets in the memory of this process
          ib:devinfo-links | calls within this process, packets in the memory of this process
          """)
  void theLongFormSaysHowPeersAreReached(String spec, String links) throws Exception {
    assertThat(links(CommandRun.of("devinfo", "-v", "-d", spec.formatted(address))))
        .isEqualTo(links);
  }

  /** A device of link=shm opens only where memory can be shared. */
  @Test
  void theLongFormSaysWhetherADeviceOfTheDefaultLinkSharesMemory() throws Exception {
    CommandRun usual = CommandRun.of("devinfo", "-v", "-d", device);
    CommandRun shared =
        CommandRun.of("devinfo", "-v", "-d", "soft:" + TestAddresses.next() + "?link=shm");

    if (shared.exitCode() == 0) {
      assertThat(links(shared))
          .isEqualTo("memory shared with processes of this user on this computer");
      assertThat(links(usual))
          .isEqualTo(
              "calls within this process, memory shared with other processes of this user on this"
                  + " computer, UDP");
    } else {
      assertThat(links(usual))
          .matches(
              "calls within this process, UDP, also to other processes of this computer \\(.+\\)");
    }
  }

  private static String links(CommandRun run) throws Exception {
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = run.out().lines().filter(line -> line.startsWith(LINKS)).toList();
    assertThat(lines).as(run.out()).hasSize(1);
    return lines.getFirst().substring(LINKS.length());
  }

  @Test
  void aDeviceOnAnInfiniBandSubnetHasALidAndAGidInGroups() throws Exception {
    CommandRun run = CommandRun.of("devinfo", "-v", "-d", "ib:devinfo-test?lmc=1");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("hca_id:\tib_devinfo-test", "\tInfiniBand", "port_lmc:\t\t0x01")
        .containsPattern("port_lid:\\t\\t[1-9]")
        .containsPattern("GID\\[  0]:\\t\\tfe80:0000:0000:0000(:[0-9a-f]{4}){4}\\n");
  }

  @Test
  void theLongFormHasTheCapabilitiesOfIbvDevinfoInItsOrder() throws Exception {
    CommandRun run = CommandRun.of("devinfo", "-v", "-d", device);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out().lines().map(line -> line.strip().split(":")[0]))
        .containsSubsequence(
            "local_ca_ack_delay",
            "general_odp_caps",
            "rc_odp_caps",
            "NO SUPPORT",
            "uc_odp_caps",
            "ud_odp_caps",
            "xrc_odp_caps",
            "completion timestamp_mask",
            "hca_core_clock",
            "raw packet caps",
            "IP csum offload",
            "device_cap_flags_ex",
            "ATOMIC_WRITE",
            "tso_caps",
            "max_tso",
            "supported_qp",
            "SUPPORT_UD",
            "SUPPORT_RAW_PACKET",
            "rss_caps",
            "max_rwq_indirection_tables",
            "max_rwq_indirection_table_size",
            "rx_hash_function",
            "rx_hash_fields_mask",
            "supported_qp",
            "SUPPORT_RAW_PACKET",
            "max_wq_type_rq",
            "packet_pacing_caps",
            "qp_rate_limit_min",
            "qp_rate_limit_max",
            "tag matching not supported",
            "cq moderation caps",
            "max_cq_count",
            "max_cq_period",
            "num_comp_vectors",
            "port",
            "port_cap_flags2",
            "active_speed",
            "effective_speed",
            "phys_state");
    assertThat(run.out()).doesNotContain("Unknown").contains("\t\t\teffective_speed:\t2.5 Gbps\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-d", "--ib-dev", "--device"})
  void theDeviceIsTheOptionOfTheOtherCommands(String option) throws Exception {
    CommandRun run = CommandRun.of("devinfo", option, device);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("hca_id:\tsoft_" + address.replace('.', '_'));
  }

  @Test
  void aPortThatDoesNotExistIsRefused() throws Exception {
    CommandRun run = CommandRun.of("devinfo", "-d", device, "-i", "2");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains("port 2 does not exist", "1 to 1");
  }

  @Test
  void aListedDeviceThatCannotBeOpenedHasNoGuidAndAReason() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    new DevicesCommand(new PrintWriter(out), new PrintWriter(err, true))
        .list(List.of(named("soft:192.0.2.1"), named("soft:new")));

    assertThat(out.toString().lines().skip(2).map(line -> line.strip().split("\\s+")[1]))
        .satisfiesExactly(
            first -> assertThat(first).isEqualTo("0".repeat(16)),
            second -> assertThat(second).isNotEqualTo("0".repeat(16)).hasSize(16));
    assertThat(err.toString())
        .startsWith("verbena devices: soft:192.0.2.1 has no GUID: openDevice: ")
        .contains("is not an address of this computer");
  }

  private static Device named(String text) {
    DeviceSpec spec = DeviceSpec.parse(text);
    return (Device)
        Proxy.newProxyInstance(
            Device.class.getClassLoader(),
            new Class<?>[] {Device.class},
            (_, method, _) ->
                switch (method.getName()) {
                  case "spec" -> spec;
                  case "name" -> text;
                  case "open" -> Devices.open(spec);
                  default -> throw new AssertionError(method);
                });
  }

  @Test
  void devicesThatCannotBeOpenedHideNoOtherAndAreAllTold() {
    StringWriter out = new StringWriter();
    DevinfoCommand command = new DevinfoCommand(new PrintWriter(out));

    assertThatThrownBy(
            () -> command.showAll(List.of(named("nosuch7"), named("soft:new"), named("nosuch8"))))
        .isInstanceOf(ToolException.class)
        .hasMessageContainingAll("'nosuch7'", "'nosuch8'");
    assertThat(out.toString()).contains("hca_id:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"devinfo", "asyncwatch", "rc-pingpong", "write-bw", "demo"})
  void anAdapterThatIsNotThereIsRefusedByWhatThereIs(String command) throws Exception {
    CommandRun run = CommandRun.of(command, "-d", "nosuch7");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("verbena " + command + ": openDevice: ")
        .contains("'nosuch7'", "soft0", "rdmacore:NAME")
        .doesNotContain("class path");
  }
}
