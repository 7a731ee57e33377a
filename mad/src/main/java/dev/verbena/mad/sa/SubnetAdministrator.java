package dev.verbena.mad.sa;

import dev.verbena.verbs.spi.MadSource;
import dev.verbena.verbs.spi.ManagementAgent;
import dev.verbena.verbs.spi.Subnet;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.ClassPortInfo;
import dev.verbena.wire.mad.Format;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.McMemberRecord;
import dev.verbena.wire.mad.MgmtClass;
import dev.verbena.wire.mad.NodeRecord;
import dev.verbena.wire.mad.PathRecord;
import dev.verbena.wire.mad.PortInfoRecord;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.ServiceRecord;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Answers Get and GetTable of PathRecord, NodeRecord, PortInfoRecord, MCMemberRecord and
 * ServiceRecord, Set and Delete of the last two, and Get of ClassPortInfo. Requests of other
 * classes, and datagrams that are not requests, are not answered.
 */
public final class SubnetAdministrator implements ManagementAgent {
  /** Maximum number of records of a table. */
  static final int MAX_RECORDS = 1 << 16;

  /** IsUDMulticastSupported. */
  private static final int CAPABILITIES = 1 << 9;

  /** A timer code: 17 ms. */
  private static final int RESPONSE_TIME = 12;

  private static final Map<Integer, Format> FORMATS =
      Stream.of(
              PathRecord.FORMAT,
              NodeRecord.FORMAT,
              PortInfoRecord.FORMAT,
              McMemberRecord.FORMAT,
              ServiceRecord.FORMAT,
              ClassPortInfo.FORMAT)
          .collect(Collectors.toUnmodifiableMap(Format::attributeId, Function.identity()));

  private final LongSupplier clock;
  private final Groups groups = new Groups();
  private final Services services = new Services();
  private final RmppSenders tables = new RmppSenders();

  /** For {@link java.util.ServiceLoader}. */
  public SubnetAdministrator() {
    this(monotonic());
  }

  /**
   * An administrator with its own clock.
   *
   * @param clock nanoseconds from an arbitrary origin
   */
  public SubnetAdministrator(LongSupplier clock) {
    this.clock = clock;
  }

  private static LongSupplier monotonic() {
    long begin = System.nanoTime();
    return () -> System.nanoTime() - begin;
  }

  @Override
  public void receive(
      Subnet subnet, MadSource source, MemorySegment mad, Consumer<MemorySegment> answer) {
    long method = MadHeader.METHOD.get(mad, 0);
    if (MadHeader.BASE_VERSION.get(mad, 0) != 1
        || MadHeader.MGMT_CLASS.get(mad, 0) != MgmtClass.SUBN_ADM
        || (method & MadMethod.RESPONSE) != 0) {
      return;
    }
    if (RmppSenders.isAbout(mad)) {
      tables.receive(source, mad, answer);
      return;
    }
    try {
      answer(subnet, source, mad, answer);
    } catch (SaStatusException e) {
      MemorySegment refusal = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]).copyFrom(mad);
      MadHeader.METHOD.set(refusal, 0, MadMethod.answerTo((int) method));
      MadHeader.STATUS.set(refusal, 0, e.status());
      answer.accept(refusal);
    }
  }

  private void answer(
      Subnet subnet, MadSource source, MemorySegment mad, Consumer<MemorySegment> answer)
      throws SaStatusException {
    if (MadHeader.CLASS_VERSION.get(mad, 0) != MgmtClass.version(MgmtClass.SUBN_ADM)) {
      throw new SaStatusException(MadStatus.UNSUPPORTED_VERSION);
    }
    Format format = FORMATS.get((int) MadHeader.ATTRIBUTE_ID.get(mad, 0));
    if (format == null) {
      throw new SaStatusException(MadStatus.UNSUPPORTED_ATTRIBUTE);
    }
    int method = (int) MadHeader.METHOD.get(mad, 0);
    Attribute query =
        Attribute.read(format, mad, SaHeader.DATA)
            .components(SaHeader.COMPONENT_MASK.get(mad, SaHeader.OFFSET));
    Request request = new Request(subnet, source, query, method == MadMethod.GET_TABLE);
    switch (method) {
      case MadMethod.GET -> answer(mad, one(request), answer);
      case MadMethod.GET_TABLE -> tables.begin(source, mad, find(request), format.length(), answer);
      case MadMethod.SET -> answer(mad, set(request), answer);
      case MadMethod.DELETE -> answer(mad, delete(request), answer);
      default -> throw new SaStatusException(MadStatus.UNSUPPORTED_METHOD);
    }
  }

  private Attribute one(Request request) throws SaStatusException {
    List<Attribute> found = find(request);
    if (found.isEmpty()) {
      throw new SaStatusException(MadStatus.SA_NO_RECORDS);
    }
    // Any of several paths will do, because none is preferred.
    if (found.size() > 1 && request.query().format() != PathRecord.FORMAT) {
      throw new SaStatusException(MadStatus.SA_TOO_MANY_RECORDS);
    }
    return found.getFirst();
  }

  private List<Attribute> find(Request request) throws SaStatusException {
    Format format = request.query().format();
    if (format == PathRecord.FORMAT) {
      return PathsBetween.find(request, groups, MAX_RECORDS);
    } else if (format == NodeRecord.FORMAT) {
      return Ports.nodes(request);
    } else if (format == PortInfoRecord.FORMAT) {
      return Ports.ports(request);
    } else if (format == McMemberRecord.FORMAT) {
      return groups.find(request);
    } else if (format == ServiceRecord.FORMAT) {
      return services.find(request, clock.getAsLong());
    } else if (request.isTable()) {
      throw new SaStatusException(MadStatus.UNSUPPORTED_ATTRIBUTE);
    }
    return List.of(classPortInfo());
  }

  private static Attribute classPortInfo() {
    return new Attribute(ClassPortInfo.FORMAT)
        .set(ClassPortInfo.BASE_VERSION, 1)
        .set(ClassPortInfo.CLASS_VERSION, MgmtClass.version(MgmtClass.SUBN_ADM))
        .set(ClassPortInfo.CAPABILITY_MASK, CAPABILITIES)
        .set(ClassPortInfo.RESPONSE_TIME, RESPONSE_TIME);
  }

  private Attribute set(Request request) throws SaStatusException {
    Format format = request.query().format();
    if (format == McMemberRecord.FORMAT) {
      return groups.join(request);
    } else if (format == ServiceRecord.FORMAT) {
      return services.offer(request, clock.getAsLong());
    }
    throw new SaStatusException(MadStatus.UNSUPPORTED_ATTRIBUTE);
  }

  private Attribute delete(Request request) throws SaStatusException {
    Format format = request.query().format();
    if (format == McMemberRecord.FORMAT) {
      return groups.leave(request);
    } else if (format == ServiceRecord.FORMAT) {
      return services.withdraw(request, clock.getAsLong());
    }
    throw new SaStatusException(MadStatus.UNSUPPORTED_ATTRIBUTE);
  }

  private static void answer(
      MemorySegment request, Attribute attribute, Consumer<MemorySegment> answer) {
    MemorySegment mad = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]);
    MemorySegment.copy(request, 0, mad, 0, SaHeader.DATA);
    int method = (int) MadHeader.METHOD.get(mad, 0);
    MadHeader.METHOD.set(mad, 0, MadMethod.answerTo(method));
    MadHeader.STATUS.set(mad, 0, MadStatus.OK);
    attribute.write(mad, SaHeader.DATA);
    answer.accept(mad);
  }

  @Override
  public void portLeft(Subnet subnet, long portGuid) {
    groups.portLeft(subnet, portGuid);
    services.portLeft(portGuid);
  }
}
