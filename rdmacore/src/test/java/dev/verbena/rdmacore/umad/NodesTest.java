package dev.verbena.rdmacore.umad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.verbs.Gid;
import dev.verbena.verbs.GidType;
import dev.verbena.verbs.Guid;
import dev.verbena.verbs.LinkLayer;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.NodeSnapshot;
import dev.verbena.verbs.NodeType;
import dev.verbena.verbs.PortSnapshot;
import dev.verbena.verbs.PortState;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodesTest {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong BIG_LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  @BeforeEach
  void needsTheLibrary() {
    assumeTrue(Libibumad.isAvailable(), "libibumad3 is not installed");
  }

  @Test
  void aNodeIsReadFromItsStruct() {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(Nodes.node(ca(arena, port(arena, 100, "InfiniBand"))))
          .isEqualTo(
              new NodeSnapshot(
                  NodeType.CA,
                  Guid.parse("0002:c903:0000:1490"),
                  Guid.parse("0002:c903:0000:1493"),
                  "",
                  "20.1.2",
                  "0",
                  "",
                  "MT4119",
                  1));
    }
  }

  @Test
  void aPortIsReadFromItsStruct() {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(onlyPort(ca(arena, port(arena, 100, "InfiniBand"))))
          .isEqualTo(
              new PortSnapshot(
                  PortState.ACTIVE,
                  5,
                  LinkLayer.INFINIBAND,
                  0x1234,
                  2,
                  7,
                  1,
                  0x0251086a,
                  0,
                  Mtu.MTU_256,
                  Rate.RATE_100,
                  List.of(Gid.parse("fe80::2:c903:0:1491")),
                  List.of(GidType.IB),
                  List.of(0xffff, 0x8001)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 2, 10})
  void aPortThatTheNodeDoesNotHaveIsNamed(int portNum) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ca = ca(arena, port(arena, 10, "IB"));
      assertThatThrownBy(() -> Nodes.port(ca, portNum))
          .isInstanceOf(VerbsException.class)
          .hasMessageContaining("mlx5_0 has no port " + portNum);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2, RATE_2_5",
    "10, RATE_10",
    "14, RATE_14",
    "56, RATE_56",
    "1200, RATE_1200",
    "3, MAX",
    "0, MAX"
  })
  void theRateIsTheOneWithSoManyWholeGigabits(int gigabits, Rate rate) {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(onlyPort(ca(arena, port(arena, gigabits, "IB"))).rate()).isEqualTo(rate);
    }
  }

  @ParameterizedTest
  @CsvSource({"IB, INFINIBAND", "'', INFINIBAND", "Ethernet, ETHERNET", "OmniPath, UNSPECIFIED"})
  void theLinkLayerIsTakenFromItsText(String text, LinkLayer layer) {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(onlyPort(ca(arena, port(arena, 10, text))).linkLayer()).isEqualTo(layer);
    }
  }

  @Test
  void textThatFillsItsMemberEndsWithIt() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ca = ca(arena, port(arena, 10, "IB"));
      ca.asSlice(UmadCa.HW_VER, 20).fill((byte) 'x');
      assertThat(Nodes.node(ca).hwVer()).isEqualTo("x".repeat(20));
    }
  }

  @Test
  void numbersWithoutAMeaningAreNoError() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment port = port(arena, 10, "IB");
      port.set(INT, UmadPort.STATE, 99);
      MemorySegment ca = ca(arena, port);
      ca.set(INT, UmadCa.NODE_TYPE, 99);
      assertThat(Nodes.node(ca).nodeType()).isEqualTo(NodeType.UNKNOWN);
      assertThat(onlyPort(ca).state()).isEqualTo(PortState.NOP);
    }
  }

  private static PortSnapshot onlyPort(MemorySegment ca) {
    return Nodes.port(ca, 1);
  }

  private static MemorySegment ca(Arena arena, MemorySegment port) {
    MemorySegment ca = arena.allocate(UmadCa.LAYOUT.size(), 8);
    ca.setString(UmadCa.CA_NAME, "mlx5_0");
    ca.set(INT, UmadCa.NODE_TYPE, 1);
    ca.set(INT, UmadCa.NUMPORTS, 1);
    ca.setString(UmadCa.FW_VER, "20.1.2");
    ca.setString(UmadCa.HW_VER, "0");
    ca.setString(UmadCa.CA_TYPE, "MT4119");
    ca.set(BIG_LONG, UmadCa.NODE_GUID, 0x0002c90300001490L);
    ca.set(BIG_LONG, UmadCa.SYSTEM_GUID, 0x0002c90300001493L);
    ca.set(ValueLayout.ADDRESS, UmadCa.PORTS + 8, port);
    return ca;
  }

  private static MemorySegment port(Arena arena, int gigabits, String linkLayer) {
    MemorySegment pkeys =
        arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) 0xffff, (short) 0x8001);
    MemorySegment port = arena.allocate(UmadPort.LAYOUT.size(), 8);
    port.set(INT, UmadPort.BASE_LID, 0x1234);
    port.set(INT, UmadPort.LMC, 2);
    port.set(INT, UmadPort.SM_LID, 7);
    port.set(INT, UmadPort.SM_SL, 1);
    port.set(INT, UmadPort.STATE, 4);
    port.set(INT, UmadPort.PHYS_STATE, 5);
    port.set(INT, UmadPort.RATE, gigabits);
    port.set(INT.withOrder(ByteOrder.BIG_ENDIAN), UmadPort.CAPMASK, 0x0251086a);
    port.set(BIG_LONG, UmadPort.GID_PREFIX, 0xfe80L << 48);
    port.set(BIG_LONG, UmadPort.PORT_GUID, 0x0002c90300001491L);
    port.set(INT, UmadPort.PKEYS_SIZE, 2);
    port.set(ValueLayout.ADDRESS, UmadPort.PKEYS, pkeys);
    port.setString(UmadPort.LINK_LAYER, linkLayer);
    return port;
  }
}
