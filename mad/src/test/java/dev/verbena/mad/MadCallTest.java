package dev.verbena.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.DirectedRoute;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests requests byte by byte, and invalid requests. */
class MadCallTest {
  private static final IbPath BY_LID = IbPath.builder().dlid(4).build();
  private static final IbPath BY_ROUTE = IbPath.builder().drPath(List.of(0, 1, 4, 255)).build();
  private static final Attribute NODE = new Attribute(NodeInfo.FORMAT);

  private static String hex(MemorySegment mad, int from, int to) {
    return HexFormat.of().formatHex(mad.toArray(ValueLayout.JAVA_BYTE), from, to);
  }

  @Test
  void aDirectedRouteIsWrittenHopByHop() {
    MemorySegment mad = MadCall.subnGet(NODE, 0x0102_0304, BY_ROUTE).request();
    // Version, class, class version, method; status, hop pointer, hop count.
    assertThat(hex(mad, 0, 8)).isEqualTo("01810101" + "0000" + "00" + "03");
    assertThat(hex(mad, 16, 24)).isEqualTo("0011" + "0000" + "01020304");
    assertThat(hex(mad, 24, 32)).as("M_Key").isEqualTo("00".repeat(8));
    assertThat(hex(mad, 32, 36)).as("DrSLID, DrDLID").isEqualTo("ffffffff");
    assertThat(hex(mad, 36, 128)).isEqualTo("00".repeat(92));
    assertThat(hex(mad, 128, 192)).as("initial path").isEqualTo("000104ff" + "00".repeat(60));
    assertThat(hex(mad, 192, 256)).as("return path").isEqualTo("00".repeat(64));
  }

  @Test
  void datagramsAreAsLongForTheFormatsAsForTheTransports() {
    assertThat(MadHeader.MAD_LENGTH).isEqualTo(Iba.MAD_LENGTH);
  }

  @Test
  void pathsHaveAsManyHopsAsTheFormatHasRoomFor() {
    List<Integer> longest = Collections.nCopies(DirectedRoute.MAX_HOPS + 1, 1);
    assertThat(IbPath.builder().drPath(longest).build().drPath()).isEqualTo(longest);
    List<Integer> tooLong = Collections.nCopies(DirectedRoute.MAX_HOPS + 2, 1);
    assertThatThrownBy(() -> IbPath.builder().drPath(tooLong)).isInstanceOf(VerbsException.class);
  }

  @Test
  void thisPortIsARouteWithoutHops() {
    IbPath here = IbPath.builder().drPath(List.of(0)).build();
    MemorySegment mad = MadCall.subnSet(NODE, 0, here).request();
    assertThat(hex(mad, 0, 8)).isEqualTo("01810102" + "0000" + "00" + "00");
  }

  @Test
  void withoutARouteSubnetManagementGoesByLid() {
    MemorySegment mad = MadCall.subnGet(NODE, 1, BY_LID).request();
    assertThat(hex(mad, 0, 8)).isEqualTo("01010101" + "00000000");
    assertThat(hex(mad, 24, 256)).isEqualTo("00".repeat(232));
  }

  @Test
  void aDirectedRouteIsForItsClassAndBeginsHere() {
    assertRefused(
        () -> MadCall.get(0x04, new Attribute(ClassPortInfo.FORMAT), 0, BY_ROUTE),
        "class 0x04 goes without a directed route, the path is IBPath(drPath='0,1,4,255,')");
    assertRefused(
        () -> MadCall.get(0x81, NODE, 0, BY_LID),
        "class 0x81 goes along a directed route, the path is IBPath(DLID=4)");
    assertRefused(
        () -> MadCall.subnGet(NODE, 0, BY_ROUTE.copy(path -> path.dlid(7))),
        "a directed route begins at this port, so its DLID is 0xffff");
    assertThat(
            MadCall.subnGet(
                    NODE, 0, IbPath.fromSpecString("IBPath(DLID=65535, SLID=65535, drPath='0,1,')"))
                .request())
        .isNotNull();
  }

  @Test
  void anAttributeThatIsTooLongIsRefused() {
    assertRefused(
        () -> MadCall.subnGet(new Attribute(ServiceRecord.FORMAT), 0, BY_ROUTE),
        "ServiceRecord has 176 bytes, a datagram of class 0x81 has 64 for it");
  }

  @Test
  void aVendorsNumberIsForTheClassesThatNameOne() {
    MadCall<Attribute> call = MadCall.get(0x4f, NODE, 0, BY_LID);
    assertThat(hex(call.request(), 24, 40)).isEqualTo("00".repeat(16));
    MadCall<Attribute> named = call.withOui(0xfedcba);
    assertThat(hex(named.request(), 24, 40)).isEqualTo("00".repeat(13) + "fedcba");
    assertThat(hex(named.withReply().request(), 37, 40)).isEqualTo("fedcba");
    assertRefused(() -> call.withOui(1 << 24), "OUI 0x1000000, the limit is 0xffffff");
    assertRefused(() -> call.withOui(-1), "OUI 0xffffffff, the limit is 0xffffff");
    assertRefused(
        () -> MadCall.get(0x09, NODE, 0, BY_LID).withOui(1), "class 0x09 is not a vendor class");
    assertRefused(
        () -> MadCall.subnAdmGet(new Attribute(ClassPortInfo.FORMAT)).withOui(1),
        "class 0x03 is not a vendor class");
  }

  private static void assertRefused(ThrowingCallable call, String why) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining(why);
  }
}
