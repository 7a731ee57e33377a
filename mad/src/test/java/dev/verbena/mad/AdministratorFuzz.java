package dev.verbena.mad;

import dev.verbena.mad.sa.FakeSubnet;
import dev.verbena.mad.sa.SubnetAdministrator;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.Rate;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.Format;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.NodeRecord;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfoRecord;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Sends arbitrary datagrams to the administrator of a subnet; for bin/fuzz. An input is a script of
 * {@link MadScript}: the record, the method, the requester, and the changes to the request.
 */
public final class AdministratorFuzz {
  private static final int PORTS = 4;

  /** Maximum number of answers to one ACK. */
  private static final int MOST_ANSWERS = 64;

  private static final List<Format> FORMATS =
      List.of(
          PathRecord.FORMAT,
          NodeRecord.FORMAT,
          PortInfoRecord.FORMAT,
          McMemberRecord.FORMAT,
          ServiceRecord.FORMAT,
          ClassPortInfo.FORMAT);

  private int answers;

  /** No exception is thrown, and a datagram gets no more answers than one ACK allows. */
  public static void fuzzerTestOneInput(byte[] data) {
    new AdministratorFuzz().run(new MadScript(data));
  }

  private void run(MadScript script) {
    FakeSubnet subnet = new FakeSubnet(PORTS);
    subnet.add(8, 2, Mtu.MTU_2048, Rate.RATE_10, 0x7fff, 0x8001);
    long[] now = {0};
    SubnetAdministrator agent = new SubnetAdministrator(() -> now[0]);
    while (script.hasNext()) {
      MemorySegment mad = request(script.next(), script.next());
      int lid = script.next() % (PORTS + 2);
      answers = 0;
      agent.receive(subnet, FakeSubnet.source(lid), script.patched(mad), this::take);
      if (answers > MOST_ANSWERS) {
        throw new AssertionError(answers + " answers to a datagram");
      }
      now[0] += 1_000_000_000L;
    }
  }

  private static MemorySegment request(int format, int method) {
    Attribute query = new Attribute(FORMATS.get(format % FORMATS.size()));
    return switch (method % 4) {
      case 0 -> MadCall.subnAdmGet(query).request();
      case 1 -> MadCall.subnAdmGetTable(query).request();
      case 2 -> MadCall.subnAdmSet(query).request();
      default -> MadCall.subnAdmDelete(query).request();
    };
  }

  private void take(MemorySegment answer) {
    if (answer.byteSize() != MadHeader.MAD_LENGTH) {
      throw new AssertionError("an answer of " + answer.byteSize() + " bytes");
    }
    answers++;
  }

  private AdministratorFuzz() {}
}
