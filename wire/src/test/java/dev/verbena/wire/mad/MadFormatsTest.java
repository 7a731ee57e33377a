package dev.verbena.wire.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MadFormatsTest {
  private static final List<Format> FORMATS =
      List.of(
          MadHeader.FORMAT,
          RmppHeader.FORMAT,
          SaHeader.FORMAT,
          VendorHeader.FORMAT,
          DirectedRoute.FORMAT,
          ClassPortInfo.FORMAT,
          NodeInfo.FORMAT,
          PortInfo.FORMAT,
          PathRecord.FORMAT,
          McMemberRecord.FORMAT,
          NodeRecord.FORMAT,
          PortInfoRecord.FORMAT,
          ServiceRecord.FORMAT);

  static List<Format> formats() {
    return FORMATS;
  }

  @Test
  void lengthsAreThoseOfTheSpecification() {
    assertThat(FORMATS)
        .extracting(Format::length)
        .containsExactly(24, 12, 20, 4, 256, 72, 40, 64, 64, 56, 112, 72, 176);
  }

  @ParameterizedTest
  @MethodSource("formats")
  void fieldsKeepWhatIsWrittenAndLeaveTheirNeighboursAlone(Format format) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (Field field : format.fields()) {
      byte[] bytes = new byte[format.length() + 3];
      random.nextBytes(bytes);
      MemorySegment segment = MemorySegment.ofArray(bytes);
      byte[] before = bytes.clone();
      if (field.isNumber()) {
        long value = random.nextLong() >>> (Long.SIZE - field.bits());
        long old = field.get(segment, 3);
        field.set(segment, 3, value);
        assertThat(field.get(segment, 3)).as("%s, seed %d", field, seed).isEqualTo(value);
        field.set(segment, 3, old);
      } else {
        byte[] old = field.getBytes(segment, 3);
        field.setBytes(segment, 3, new byte[] {1, 2, 3});
        assertThat(field.getBytes(segment, 3))
            .as("%s, seed %d", field, seed)
            .startsWith(1, 2, 3)
            .endsWith(0)
            .hasSize(field.bits() / 8);
        field.setBytes(segment, 3, old);
      }
      assertThat(bytes).as("%s, seed %d", field, seed).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void noTwoFieldsShareABitOfTheMask(Format format) {
    long seen = 0;
    for (Field field : format.fields()) {
      assertThat(seen & field.mask()).as(field.name()).isZero();
      seen |= field.mask();
    }
  }

  @Test
  void componentsHaveTheNumbersOfTheSpecification() {
    assertThat(PathRecord.SERVICE_ID.mask()).isEqualTo(0b11);
    assertThat(bit(PathRecord.FORMAT, PathRecord.DGID)).isEqualTo(2);
    assertThat(bit(PathRecord.FORMAT, PathRecord.FLOW_LABEL)).isEqualTo(8);
    assertThat(bit(PathRecord.FORMAT, PathRecord.REVERSIBLE)).isEqualTo(11);
    assertThat(bit(PathRecord.FORMAT, PathRecord.PACKET_LIFE_TIME)).isEqualTo(21);
    assertThat(bit(McMemberRecord.FORMAT, McMemberRecord.PROXY_JOIN)).isEqualTo(17);
    assertThat(bit(NodeRecord.FORMAT, NodeInfo.NODE_GUID)).isEqualTo(7);
    assertThat(bit(NodeRecord.FORMAT, NodeRecord.NODE_DESCRIPTION)).isEqualTo(14);
    assertThat(bit(PortInfoRecord.FORMAT, PortInfo.MKEY)).isEqualTo(3);
    assertThat(bit(PortInfoRecord.FORMAT, PortInfo.LMC)).isEqualTo(20);
    assertThat(bit(PortInfoRecord.FORMAT, PortInfo.LINK_SPEED_EXT_ENABLED)).isEqualTo(57);
    assertThat(bit(ServiceRecord.FORMAT, ServiceRecord.SERVICE_DATA8)).isEqualTo(7);
    assertThat(ServiceRecord.SERVICE_DATA64.mask()).isEqualTo(0b11L << 35);
  }

  @Test
  void aPathOfOpenSmIsRead() {
    MemorySegment mad = OpenSmSamples.mad("path-answer");
    assertThat(MadHeader.METHOD.get(mad, 0)).isEqualTo(MadMethod.GET_TABLE_RESP);
    assertThat(MadHeader.CLASS_VERSION.get(mad, 0))
        .isEqualTo(MgmtClass.version(MgmtClass.SUBN_ADM));
    assertThat(MadHeader.TRANSACTION_ID.get(mad, 0)).isEqualTo(0x09ad3ef0);
    assertThat(MadHeader.ATTRIBUTE_ID.get(mad, 0)).isEqualTo(PathRecord.FORMAT.attributeId());
    assertThat(RmppHeader.FLAGS.get(mad, RmppHeader.OFFSET)).isEqualTo(RmppHeader.ACTIVE);
    assertThat(SaHeader.ATTRIBUTE_OFFSET.get(mad, SaHeader.OFFSET) * 8)
        .isEqualTo(PathRecord.FORMAT.length());
    Attribute path = Attribute.read(PathRecord.FORMAT, mad, SaHeader.DATA);
    assertThat(path)
        .hasToString(
            "PathRecord(DGID=0xfe800000000000000000000000100001,"
                + " SGID=0xfe800000000000000000000000200000, DLID=0x1, SLID=0x2, Reversible=0x1,"
                + " P_Key=0xffff, MtuSelector=0x2, Mtu=0x3, RateSelector=0x2, Rate=0x3,"
                + " PacketLifeTimeSelector=0x2, PacketLifeTime=0x12)");
  }

  @Test
  void theQueryOfSaqueryIsWritten() {
    Attribute query =
        new Attribute(PathRecord.FORMAT).set(PathRecord.DLID, 1).set(PathRecord.SLID, 2);
    MemorySegment theirs = OpenSmSamples.mad("path-query");
    assertThat(SaHeader.COMPONENT_MASK.get(theirs, SaHeader.OFFSET) & ~PathRecord.NUMB_PATH.mask())
        .isEqualTo(query.components());
    assertThat(Attribute.read(PathRecord.FORMAT, theirs, SaHeader.DATA))
        .isEqualTo(query.set(PathRecord.NUMB_PATH, 0x7f));
  }

  @Test
  void otherRecordsOfOpenSmAreRead() {
    Attribute node =
        Attribute.read(NodeRecord.FORMAT, OpenSmSamples.mad("node-answer"), SaHeader.DATA);
    assertThat(node.get(NodeInfo.NUM_PORTS)).isEqualTo(2);
    assertThat(node.get(NodeInfo.PORT_GUID)).isEqualTo(0x100001);
    assertThat(node.get(NodeInfo.LOCAL_PORT_NUM)).isEqualTo(1);
    assertThat(new String(node.getBytes(NodeRecord.NODE_DESCRIPTION), StandardCharsets.UTF_8))
        .startsWith("Hca1\0");

    Attribute port =
        Attribute.read(PortInfoRecord.FORMAT, OpenSmSamples.mad("port-info-answer"), SaHeader.DATA);
    assertThat(port.getInt(PortInfoRecord.ENDPORT_LID)).isEqualTo(1);
    assertThat(port.getInt(PortInfo.CAPABILITY_MASK)).isEqualTo(0x50c04a);
    assertThat(port.getInt(PortInfo.PORT_STATE)).isEqualTo(4);
    assertThat(port.getInt(PortInfo.PORT_PHYSICAL_STATE)).isEqualTo(5);
    assertThat(port.getInt(PortInfo.NEIGHBOR_MTU)).isEqualTo(4);
    assertThat(port.getInt(PortInfo.VL_STALL_COUNT)).isEqualTo(7);
    assertThat(port.getInt(PortInfo.GUID_CAP)).isEqualTo(32);
    assertThat(port.getInt(PortInfo.SUBNET_TIME_OUT)).isEqualTo(31);
    assertThat(port.getInt(PortInfo.CAPABILITY_MASK2)).isEqualTo(0x30);

    Attribute group =
        Attribute.read(McMemberRecord.FORMAT, OpenSmSamples.mad("mcmember-answer"), SaHeader.DATA);
    assertThat(HexFormat.of().formatHex(group.getBytes(McMemberRecord.MGID)))
        .isEqualTo("ff12401bffff000000000000ffffffff");
    assertThat(group.getInt(McMemberRecord.QKEY)).isEqualTo(0x0b1b);
    assertThat(group.getInt(McMemberRecord.MLID)).isEqualTo(0xC000);
    assertThat(group.getInt(McMemberRecord.MTU)).isEqualTo(4);
    assertThat(group.getInt(McMemberRecord.SCOPE)).isEqualTo(2);

    Attribute info =
        Attribute.read(
            ClassPortInfo.FORMAT, OpenSmSamples.mad("class-port-info-answer"), SaHeader.DATA);
    assertThat(info.getInt(ClassPortInfo.CAPABILITY_MASK)).isEqualTo(0x2602);
    assertThat(info.getInt(ClassPortInfo.CAPABILITY_MASK2)).isEqualTo(0xB5E8);
    assertThat(info.getInt(ClassPortInfo.RESPONSE_TIME)).isEqualTo(0x10);
    assertThat(info.getInt(ClassPortInfo.REDIRECT_QP)).isEqualTo(1);
    assertThat(info.getInt(ClassPortInfo.TRAP_QKEY)).isEqualTo(0x80010000);
  }

  @Test
  void aRecordMatchesByTheComponentsThatTheMaskNames() {
    Attribute path =
        Attribute.read(PathRecord.FORMAT, OpenSmSamples.mad("path-answer"), SaHeader.DATA);
    Attribute query = new Attribute(PathRecord.FORMAT).set(PathRecord.DLID, 1);
    assertThat(path.matches(query, query.components())).isTrue();
    query.set(PathRecord.SLID, 9);
    assertThat(path.matches(query, query.components())).isFalse();
    assertThat(path.matches(query, PathRecord.DLID.mask())).isTrue();
    query.set(PathRecord.DGID, new byte[] {(byte) 0xfe, (byte) 0x80});
    assertThat(path.matches(query, PathRecord.DGID.mask())).isFalse();
    query.set(PathRecord.DGID, path.getBytes(PathRecord.DGID));
    assertThat(path.matches(query, PathRecord.DGID.mask())).isTrue();
  }

  @Test
  void aFieldOfSeveralComponentsMatchesPartByPart() {
    byte[] data = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    Attribute record = new Attribute(ServiceRecord.FORMAT).set(ServiceRecord.SERVICE_DATA8, data);
    data[5] = 77;
    Attribute query = new Attribute(ServiceRecord.FORMAT).set(ServiceRecord.SERVICE_DATA8, data);
    assertThat(record.matches(query, query.components())).isFalse();
    assertThat(record.matches(query, query.components() & ~(1L << (7 + 5)))).isTrue();
  }

  @Test
  void aValueThatDoesNotFitIsRefusedByName() {
    Attribute path = new Attribute(PathRecord.FORMAT);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> path.set(PathRecord.DLID, 70_000))
        .withMessage("PathRecord.DLID: 70000 has more than its 16 bits");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> path.set(PathRecord.DGID, new byte[17]))
        .withMessage("DGID: 17 bytes, it has 16");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> path.get(NodeInfo.NODE_GUID))
        .withMessage("PathRecord has no field NodeGUID");
    assertThat(path.components()).isZero();
  }

  @Test
  void statusesAndMethodsHaveWords() {
    assertThat(MadStatus.text(MgmtClass.SUBN_ADM, 0x0300)).isEqualTo("0x0300 no records");
    assertThat(MadStatus.text(MgmtClass.SUBN_ADM, 0x7700)).isEqualTo("0x7700 unknown");
    assertThat(MadStatus.text(MgmtClass.PERFORMANCE, 0x0300)).isEqualTo("0x0300 of class 0x04");
    assertThat(MadStatus.text(MgmtClass.PERFORMANCE, 0x001c))
        .isEqualTo("0x001c invalid attribute field");
    assertThat(MadMethod.text(MadMethod.answerTo(MadMethod.GET_TABLE))).isEqualTo("GetTableResp");
    assertThat(MadMethod.answerTo(MadMethod.SET)).isEqualTo(MadMethod.GET_RESP);
  }

  @Test
  void classesHaveTheirHeaders() {
    assertThat(MgmtClass.dataOffset(MgmtClass.SUBN_ADM)).isEqualTo(56);
    assertThat(MgmtClass.dataOffset(MgmtClass.PERFORMANCE)).isEqualTo(64);
    assertThat(MgmtClass.dataOffset(MgmtClass.VENDOR)).isEqualTo(24);
    assertThat(MgmtClass.dataOffset(0x2f)).isEqualTo(24);
    assertThat(MgmtClass.dataOffset(0x30)).isEqualTo(40);
    assertThat(MgmtClass.dataOffset(0x4f)).isEqualTo(40);
    assertThat(MgmtClass.dataOffset(0x50)).isEqualTo(24);
    assertThat(MgmtClass.dataLength(MgmtClass.SUBN_DIRECTED_ROUTE)).isEqualTo(64);
    assertThat(MgmtClass.dataLength(MgmtClass.PERFORMANCE)).isEqualTo(192);
    assertThat(MgmtClass.dataLength(0x30)).isEqualTo(216);
    assertThat(IntStream.range(0, 256).filter(MgmtClass::hasRmpp))
        .hasSize(0x21)
        .contains(0x03, 0x30, 0x4f);
  }

  @Test
  void aDirectedRouteHasItsStatusBesideItsDirection() {
    MemorySegment mad = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]);
    MadHeader.MGMT_CLASS.set(mad, 0, MgmtClass.SUBN_DIRECTED_ROUTE);
    MadHeader.STATUS.set(mad, 0, 0x8000);
    assertThat(MadStatus.of(mad)).isZero();
    assertThat(DirectedRoute.DIRECTION.get(mad, 0)).isEqualTo(1);
    MadHeader.STATUS.set(mad, 0, 0x800c);
    assertThat(MadStatus.of(mad)).isEqualTo(MadStatus.UNSUPPORTED_ATTRIBUTE);
    MadHeader.MGMT_CLASS.set(mad, 0, MgmtClass.SUBN_LID_ROUTED);
    assertThat(MadStatus.of(mad)).isEqualTo(0x800c);
    DirectedRoute.HOP_POINTER.set(mad, 0, 6);
    DirectedRoute.HOP_COUNT.set(mad, 0, 7);
    DirectedRoute.DR_SLID.set(mad, 0, 0x2021);
    DirectedRoute.DR_DLID.set(mad, 0, 0x2223);
    DirectedRoute.INITIAL_PATH.setBytes(mad, 0, new byte[] {(byte) 128});
    DirectedRoute.RETURN_PATH.setBytes(mad, 0, new byte[] {(byte) 192});
    byte[] bytes = mad.toArray(ValueLayout.JAVA_BYTE);
    assertThat(bytes[6]).isEqualTo((byte) 6);
    assertThat(bytes[7]).isEqualTo((byte) 7);
    assertThat(HexFormat.of().formatHex(bytes, 32, 36)).isEqualTo("20212223");
    assertThat(bytes[128]).isEqualTo((byte) 128);
    assertThat(bytes[192]).isEqualTo((byte) 192);
  }

  private static int bit(Format format, Field field) {
    long mask = format.place(field).mask();
    assertThat(Long.bitCount(mask))
        .as(field.name())
        .isEqualTo(field == ServiceRecord.SERVICE_DATA8 ? 16 : 1);
    return Long.numberOfTrailingZeros(mask);
  }
}
