package dev.verbena.mad.sa;

import dev.verbena.verbs.Iba;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.verbs.spi.SubnetPort;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.NodeInfo;
import dev.verbena.wire.mad.NodeRecord;
import dev.verbena.wire.mad.PortInfo;
import dev.verbena.wire.mad.PortInfoRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Answers queries for nodes and ports, with a record for each port. */
final class Ports {
  private static final int CHANNEL_ADAPTER = 1;
  private static final int WIDTH_4X = 2;
  private static final int DESCRIPTION_BYTES = 64;

  private Ports() {}

  static List<Attribute> nodes(Request request) {
    List<Attribute> found = new ArrayList<>();
    for (SubnetPort port : request.subnet().ports()) {
      Attribute record =
          new Attribute(NodeRecord.FORMAT)
              .set(NodeRecord.LID, port.lid())
              .set(NodeInfo.BASE_VERSION, 1)
              .set(NodeInfo.CLASS_VERSION, 1)
              .set(NodeInfo.NODE_TYPE, CHANNEL_ADAPTER)
              .set(NodeInfo.NUM_PORTS, 1)
              .set(NodeInfo.SYSTEM_IMAGE_GUID, port.systemImageGuid())
              .set(NodeInfo.NODE_GUID, port.nodeGuid())
              .set(NodeInfo.PORT_GUID, port.portGuid())
              .set(NodeInfo.PARTITION_CAP, port.pkeys().size())
              .set(NodeInfo.LOCAL_PORT_NUM, port.portNum())
              .set(NodeRecord.NODE_DESCRIPTION, description(port));
      addIfAsked(found, record, request);
    }
    return found;
  }

  private static byte[] description(SubnetPort port) {
    byte[] text = port.nodeDescription().getBytes(StandardCharsets.UTF_8);
    return text.length > DESCRIPTION_BYTES ? Arrays.copyOf(text, DESCRIPTION_BYTES) : text;
  }

  static List<Attribute> ports(Request request) {
    Subnet subnet = request.subnet();
    List<Attribute> found = new ArrayList<>();
    for (SubnetPort port : subnet.ports()) {
      Attribute record =
          new Attribute(PortInfoRecord.FORMAT)
              .set(PortInfoRecord.ENDPORT_LID, port.lid())
              .set(PortInfoRecord.PORT_NUM, port.portNum())
              .set(PortInfo.GID_PREFIX, subnet.subnetPrefix())
              .set(PortInfo.LID, port.lid())
              .set(PortInfo.MASTER_SM_LID, subnet.smLid())
              .set(PortInfo.MASTER_SM_SL, subnet.smSl())
              .set(PortInfo.CAPABILITY_MASK, port.portCapFlags())
              .set(PortInfo.LOCAL_PORT_NUM, port.portNum())
              .set(PortInfo.LINK_WIDTH_ENABLED, WIDTH_4X)
              .set(PortInfo.LINK_WIDTH_SUPPORTED, WIDTH_4X)
              .set(PortInfo.LINK_WIDTH_ACTIVE, WIDTH_4X)
              .set(PortInfo.PORT_STATE, port.state().number())
              .set(PortInfo.PORT_PHYSICAL_STATE, Iba.LINK_UP)
              .set(PortInfo.LMC, port.lmc())
              .set(PortInfo.NEIGHBOR_MTU, port.activeMtu().number())
              .set(PortInfo.MTU_CAP, port.maxMtu().number())
              .set(PortInfo.SUBNET_TIME_OUT, subnet.subnetTimeout());
      addIfAsked(found, record, request);
    }
    return found;
  }

  private static void addIfAsked(List<Attribute> found, Attribute record, Request request) {
    if (record.matches(request.query(), request.query().components())) {
      found.add(record);
    }
  }
}
