package dev.verbena.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks docs/rosetta.md: what it names exists, and everything that must be named is. */
class RosettaTest {
  private static final Path PAGE = Path.of("..", "docs", "rosetta.md");
  private static final Path EXPORTS = Path.of("..", "dropin/src/main/c/libibverbs.map");

  /** Symbols that are in several versions: those for providers. */
  private static final List<Path> PRIVATE_EXPORTS =
      List.of(
          Path.of("..", "dropin/src/main/c/private.c"),
          Path.of("..", "dropin/src/main/c/text.c"),
          Path.of("..", "dropin/src/main/c/device.c"));

  /** What versions of the map are of releases after 44. */
  private static final String FIRST_LATER_VERSION = "IBVERBS_1.15";

  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| ([^|]*)\\| ?([^|]*)\\|");
  private static final Pattern PRIVATE_NAME =
      Pattern.compile("(?m)^(?:SINCE_\\d+|[A-Z_]+)\\((\\w+)(?:, SINCE_\\d+)?\\)$");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern JAVA_NAME =
      Pattern.compile("([A-Z][A-Za-z0-9]*)(?:\\.([A-Za-z_][A-Za-z0-9_]*))?");

  /** Types of the module mad, which has a test of its own: this module does not know them. */
  private static final Set<String> TYPES_OF_MAD =
      Set.of("Mads", "MadTransactor", "MadCall", "MadReply", "PathResolver");

  /** Java names in notes that are of the JDK. */
  private static final Set<String> JDK_NAMES =
      Set.of("MemorySegment", "Selector", "System.nanoTime");

  private static final String WR_API =
      """
      ibv_wr_abort ibv_wr_complete ibv_wr_start ibv_wr_atomic_cmp_swp ibv_wr_atomic_fetch_add
      ibv_wr_bind_mw ibv_wr_local_inv ibv_wr_rdma_read ibv_wr_rdma_write ibv_wr_rdma_write_imm
      ibv_wr_send ibv_wr_send_imm ibv_wr_send_inv ibv_wr_send_tso ibv_wr_set_inline_data
      ibv_wr_set_inline_data_list ibv_wr_set_sge ibv_wr_set_sge_list ibv_wr_set_ud_addr
      ibv_wr_set_xrc_srqn ibv_wr_flush ibv_set_wr_sge
      """;
  private static final String OTHER_FUNCTIONS =
      """
      ibv_post_send ibv_post_recv ibv_post_srq_recv ibv_poll_cq ibv_create_qp ibv_create_qp_ex
      ibv_qp_to_qp_ex ibv_create_ah ibv_alloc_mw ibv_bind_mw ibv_reg_mr ibv_ack_cq_events
      """;

  /** Those of the chapter on its module of verbs. */
  private static final String PYTHON_CLASSES =
      "AH AsyncError CQ CompChannel Context MR PD QP SRQ WCError WRError";

  /** Inline functions of verbs.h, which check whether the context supports them. */
  private static final Set<String> INLINE_AND_UNSUPPORTED =
      Set.of(
          "ibv_advise_mr",
          "ibv_alloc_dm",
          "ibv_attach_counters_point_flow",
          "ibv_create_counters",
          "ibv_create_flow",
          "ibv_create_flow_action_esp",
          "ibv_destroy_counters",
          "ibv_destroy_flow_action",
          "ibv_free_dm",
          "ibv_memcpy_from_dm",
          "ibv_memcpy_to_dm",
          "ibv_modify_flow_action_esp",
          "ibv_post_srq_ops",
          "ibv_read_counters",
          "ibv_reg_dm_mr",
          "ibv_wc_read_cvlan",
          "ibv_wc_read_flow_tag",
          "ibv_wc_read_tm_info");

  /** Those of a flow; {@link Counters} are the device's. */
  private static final String OTHER_COUNTERS = "ibv_counters";

  private static final String NEWER = "newer than 44";

  private static final Map<String, String> CONSTANT_PREFIXES =
      Map.ofEntries(
          Map.entry("Access", "IBV_ACCESS_"),
          Map.entry("AdviseMrAdvice", "IBV_ADVISE_MR_ADVICE_"),
          Map.entry("AdviseMrFlags", "IBV_ADVISE_MR_FLAG_"),
          Map.entry("AtomicCap", "IBV_ATOMIC_"),
          Map.entry("CreateCqFlags", "IBV_CREATE_CQ_ATTR_"),
          Map.entry("DeviceCap", "IBV_DEVICE_"),
          Map.entry("DeviceCapEx", "IB_UVERBS_DEVICE_"),
          Map.entry("EventType", "IBV_EVENT_"),
          Map.entry("FlowAttrType", "IBV_FLOW_ATTR_"),
          Map.entry("FlowFlags", "IBV_FLOW_ATTR_FLAGS_"),
          Map.entry("FlowSpecType", "IBV_FLOW_SPEC_"),
          Map.entry("FlushLevel", "IBV_FLUSH_"),
          Map.entry("FlushType", "IBV_FLUSH_"),
          Map.entry("ForkStatus", "IBV_FORK_"),
          Map.entry("GidType", "IBV_GID_TYPE_"),
          Map.entry("LinkLayer", "IBV_LINK_LAYER_"),
          Map.entry("Mtu", "IBV_"),
          Map.entry("MwType", "IBV_MW_"),
          Map.entry("NodeType", "IBV_NODE_"),
          Map.entry("OdpGeneralCaps", "IBV_ODP_"),
          Map.entry("OdpTransportCaps", "IBV_ODP_SUPPORT_"),
          Map.entry("PathMigState", "IBV_MIG_"),
          Map.entry("PortAttr", "IBV_QPF_"),
          Map.entry("PortCap", "IBV_PORT_"),
          Map.entry("PortState", "IBV_PORT_"),
          Map.entry("QpAttrMask", "IBV_QP_"),
          Map.entry("DataInOrder", "IBV_QUERY_QP_DATA_IN_ORDER_"),
          Map.entry("QpCreateFlags", "IBV_QP_CREATE_"),
          Map.entry("QpState", "IBV_QPS_"),
          Map.entry("QpType", "IBV_QPT_"),
          Map.entry("Rate", "IBV_"),
          Map.entry("RawPacketCaps", "IBV_RAW_PACKET_CAP_"),
          Map.entry("ReregFlags", "IBV_REREG_MR_"),
          Map.entry("RxHashFields", "IBV_RX_HASH_"),
          Map.entry("RxHashFunction", "IBV_RX_HASH_FUNC_"),
          Map.entry("SendFlags", "IBV_SEND_"),
          Map.entry("SendOps", "IBV_QP_EX_WITH_"),
          Map.entry("SrqAttrMask", "IBV_SRQ_"),
          Map.entry("SrqType", "IBV_SRQT_"),
          Map.entry("TransportType", "IBV_TRANSPORT_"),
          Map.entry("ValuesMask", "IBV_VALUES_MASK_"),
          Map.entry("WcExFlags", "IBV_WC_EX_WITH_"),
          Map.entry("WcFlags", "IBV_WC_"),
          Map.entry("WcOpcode", "IBV_WC_"),
          Map.entry("WcStatus", "IBV_WC_"),
          Map.entry("WqFlags", "IBV_WQ_FLAGS_"),
          Map.entry("WqState", "IBV_WQS_"),
          Map.entry("WrOpcode", "IBV_WR_"));

  private static final Pattern FUNCTION = Pattern.compile("ibv_[a-z0-9_]+\\*?");
  private static final Pattern TYPE = Pattern.compile("(?:enum )?ibv_([a-z0-9_]+)");

  /**
   * A row of a table: the heading above it, the C or Python name, its Java names, the note and the
   * names in it.
   */
  private record Row(
      String section, String foreign, List<String> java, String note, List<String> noted) {
    boolean isOfWhatJavaLacks() {
      return section.contains("without");
    }
  }

  @Test
  void everyJavaNameExists() throws IOException {
    List<String> missing = new ArrayList<>();
    int names = 0;
    for (Row row : rows()) {
      for (String name : row.java) {
        names++;
        if (!exists(name)) {
          missing.add(row.foreign + " | " + name);
        }
      }
      for (String name : row.noted) {
        if (JAVA_NAME.matcher(name).matches() && !JDK_NAMES.contains(name) && !exists(name)) {
          missing.add(row.foreign + " | " + name + " (note)");
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(names).as("Java names on the page").isGreaterThan(700);
  }

  @Test
  void everyRowOfATableIsUnderstood() throws IOException {
    try (Stream<String> lines = Files.lines(PAGE)) {
      assertThat(
              lines
                  .filter(line -> line.startsWith("| `"))
                  .filter(line -> !ROW.matcher(line).matches()))
          .isEmpty();
    }
  }

  @Test
  void noForeignNameStandsTwice() throws IOException {
    assertThat(rows().stream().map(Row::foreign)).doesNotHaveDuplicates();
  }

  @Test
  void theTablesOfWhatJavaLacksNameNothingInJava() throws IOException {
    assertThat(rows().stream().filter(Row::isOfWhatJavaLacks)).hasSizeGreaterThan(135);
    assertThat(rows().stream().filter(row -> row.isOfWhatJavaLacks() && !row.java.isEmpty()))
        .isEmpty();
  }

  @Test
  void noStructureOrEnumIsSaidToBeMissingWhoseTypeExists() throws IOException {
    List<String> present = new ArrayList<>();
    for (Row row : rows()) {
      Matcher name = TYPE.matcher(row.foreign);
      if (row.java.isEmpty()
          && name.matches()
          && !row.foreign.equals(OTHER_COUNTERS)
          && type(CamelCase.ofType(name.group(1))) != null) {
        present.add(row.foreign);
      }
    }
    assertThat(present).isEmpty();
  }

  @Test
  void everyFunctionThatTheManualPagesNameHasAJavaName() throws IOException {
    for (String function : (WR_API + OTHER_FUNCTIONS).split("\\s+")) {
      assertThat(javaOf(function)).as(function).isNotEmpty();
    }
  }

  @Test
  @Proves({"PS-098", "PS-099", "PS-100", "PS-101", "PS-102"})
  void theFunctionsThatPostSendPointsToExistUnderTheirNames() throws IOException {
    assertThat(javaOf("ibv_create_qp")).containsExactly("ProtectionDomain.createQp");
    assertThat(javaOf("ibv_create_ah")).containsExactly("ProtectionDomain.createAh");
    assertThat(javaOf("ibv_post_recv")).containsExactly("QueuePair.postRecv");
    assertThat(javaOf("ibv_post_srq_recv")).containsExactly("SharedReceiveQueue.postRecv");
    assertThat(javaOf("ibv_poll_cq")).containsExactly("CompletionQueue.poll");
    assertThat(
            Stream.of(
                    "ProtectionDomain.createQp",
                    "ProtectionDomain.createAh",
                    "QueuePair.postRecv",
                    "SharedReceiveQueue.postRecv",
                    "CompletionQueue.poll")
                .filter(name -> !exists(name)))
        .isEmpty();
  }

  @Test
  @Proves("PY-001")
  void everyClassOfPythonRdmaIsAClassHere() throws IOException {
    for (String name : PYTHON_CLASSES.split("\\s+")) {
      List<String> java = javaOf("rdma.ibverbs." + name);
      assertThat(java).as(name).isNotEmpty().allMatch(RosettaTest::exists);
      assertThat(java.getFirst()).as(name).doesNotContain(".");
    }
  }

  @Test
  void theWrFunctionsAreCamelCaseOnQueuePairEx() throws IOException {
    Set<String> methods = new TreeSet<>();
    for (Row row : rows()) {
      if (row.foreign.startsWith("ibv_wr_") && !row.foreign.startsWith("ibv_wr_opcode")) {
        String method = CamelCase.of(row.foreign.substring("ibv_".length()));
        assertThat(row.java).as(row.foreign).containsExactly("QueuePairEx." + method);
        methods.add(method);
      }
    }
    Set<String> declared = new TreeSet<>();
    for (Method method : QueuePairEx.class.getDeclaredMethods()) {
      declared.add(method.getName());
    }
    // Two are fields in C, and C has no need of the third.
    declared.removeAll(Set.of("wrId", "wrFlags", "resumeWr"));
    assertThat(methods).isEqualTo(declared);
  }

  @Test
  void constantsKeepTheirNamesBehindThePrefixOfTheirType() throws IOException {
    int constants = 0;
    for (Row row : rows()) {
      if (!row.foreign.startsWith("rdma.")
          && row.java.size() == 1
          && row.java.getFirst().matches("\\w+\\.[A-Z0-9_]+")) {
        String[] name = row.java.getFirst().split("\\.");
        assertThat(row.foreign.replaceFirst("_GBPS$|(?<=IBV_)RATE_(?=MAX)", ""))
            .isIn(CONSTANT_PREFIXES.get(name[0]) + name[1], "IBV_WC_" + name[1]);
        constants++;
      }
    }
    assertThat(constants).isGreaterThan(250);
  }

  @Test
  void everyConstantOfTheEnumsOfLibibverbsIsOnThePage() throws IOException {
    Set<String> named = new HashSet<>();
    rows().forEach(row -> named.addAll(row.java));
    for (String type : CONSTANT_PREFIXES.keySet()) {
      Class<?> c = type(type);
      if (c != null && c.isEnum()) {
        for (Object constant : c.getEnumConstants()) {
          assertThat(named).contains(type + "." + ((Enum<?>) constant).name());
        }
      }
    }
  }

  @Test
  void everyFunctionThatLibibverbsExportsIsOnThePage() throws IOException {
    List<String> named = rows().stream().map(Row::foreign).toList();
    assertThat(exports())
        .contains("ibv_reg_mr", "ibv_alloc_buf", "ibv_cmd_reg_mr_ex", "ibv_query_gid_type")
        .hasSizeGreaterThan(160);
    assertThat(
            exports().stream()
                .filter(export -> named.stream().noneMatch(name -> isNamed(export, name))))
        .isEmpty();
  }

  @Test
  void onlyFunctionsOfRdmaCore44AreSaidToAnswerEopnotsupp() throws IOException {
    Set<String> exports = exports();
    List<String> untrue = new ArrayList<>();
    int checked = 0;
    for (Row row : rows()) {
      if (FUNCTION.matcher(row.foreign).matches()
          && row.note.contains("EOPNOTSUPP")
          && !row.note.contains(NEWER)) {
        checked++;
        if (!INLINE_AND_UNSUPPORTED.contains(row.foreign)
            && exports.stream().noneMatch(export -> isNamed(export, row.foreign))) {
          untrue.add(row.foreign);
        }
      }
    }
    assertThat(untrue).isEmpty();
    assertThat(checked).isGreaterThan(20);
  }

  @Test
  void whatIsNewerThanRdmaCore44IsInTheVersionsOfLaterReleases() throws IOException {
    List<String> newer =
        rows().stream().filter(row -> row.note.contains(NEWER)).map(Row::foreign).toList();
    assertThat(newer).contains("ibv_wr_flush", "IBV_ACCESS_FLUSH_GLOBAL", "ibv_alloc_dmah");
    String exports = Files.readString(EXPORTS);
    int later = exports.indexOf(FIRST_LATER_VERSION);
    assertThat(names(exports.substring(0, later)))
        .contains("ibv_reg_mr")
        .doesNotContainAnyElementsOf(newer);
    assertThat(newer).containsAll(names(exports.substring(later))).contains("ibv_alloc_buf");
  }

  private static boolean isNamed(String export, String name) {
    return name.endsWith("*")
        ? export.startsWith(name.substring(0, name.length() - 1))
        : export.equals(name);
  }

  private static Set<String> exports() throws IOException {
    Set<String> exports = names(Files.readString(EXPORTS));
    for (Path source : PRIVATE_EXPORTS) {
      Matcher name = PRIVATE_NAME.matcher(Files.readString(source));
      exports.addAll(name.results().map((MatchResult m) -> m.group(1)).toList());
    }
    return exports;
  }

  private static Set<String> names(String versions) {
    Matcher name = Pattern.compile("(?m)^\t\t(\\w+);").matcher(versions);
    return new TreeSet<>(name.results().map((MatchResult m) -> m.group(1)).toList());
  }

  private static List<String> javaOf(String foreign) throws IOException {
    return rows().stream()
        .filter(row -> row.foreign.equals(foreign))
        .flatMap(row -> row.java.stream())
        .toList();
  }

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    String section = "";
    for (String line : Files.readAllLines(PAGE)) {
      Matcher row = ROW.matcher(line);
      if (line.startsWith("## ")) {
        section = line;
      } else if (row.matches()) {
        String note = row.group(3);
        rows.add(new Row(section, row.group(1), codes(row.group(2)), note, codes(note)));
      }
    }
    return rows;
  }

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map((MatchResult m) -> m.group(1)).toList();
  }

  private static boolean exists(String name) {
    String[] parts = name.split("\\.");
    if (TYPES_OF_MAD.contains(parts[0])) {
      return true;
    }
    Class<?> type = type(parts[0]);
    if (type == null || parts.length == 1) {
      return type != null;
    }
    return Arrays.stream(type.getMethods()).map(Method::getName).anyMatch(parts[1]::equals)
        || Arrays.stream(type.getFields()).map(Field::getName).anyMatch(parts[1]::equals);
  }

  private static @Nullable Class<?> type(String simpleName) {
    for (String room : List.of("", ".vtools", ".path")) {
      try {
        Class<?> type = Class.forName(QueuePair.class.getPackageName() + room + "." + simpleName);
        return Modifier.isPublic(type.getModifiers()) ? type : null;
      } catch (ClassNotFoundException e) {
        // In another one, perhaps.
      }
    }
    return null;
  }
}
