package dev.verbena.mad;

import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.MadException;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Format;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.MgmtClass;
import dev.verbena.wire.mad.SaHeader;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A question to a management agent, which {@link MadTransactor} asks, and what its answer gives. It
 * may be asked several times.
 *
 * @param <T> what the answer gives
 */
public final class MadCall<T> {
  private final int mgmtClass;
  private final int method;
  private final Attribute attribute;
  private final int modifier;
  private final @Nullable IbPath to;
  private final Function<MadReply, T> result;

  private MadCall(
      int mgmtClass,
      int method,
      Attribute attribute,
      int modifier,
      @Nullable IbPath to,
      Function<MadReply, T> result) {
    this.mgmtClass = mgmtClass;
    this.method = method;
    this.attribute = attribute;
    this.modifier = modifier;
    this.to = to;
    this.result = result;
  }

  private static MadCall<Attribute> one(
      int mgmtClass, int method, Attribute attribute, int modifier, @Nullable IbPath to) {
    Format format = attribute.format();
    int at = MgmtClass.dataOffset(mgmtClass);
    return new MadCall<>(
        mgmtClass,
        method,
        attribute.copy(),
        modifier,
        to,
        reply -> Attribute.read(format, reply.mad(), at));
  }

  private static MadCall<Attribute> sa(int method, Attribute record) {
    return one(MgmtClass.SUBN_ADM, method, record, 0, null);
  }

  /** Asks the subnet administrator for the one record that agrees with the components set. */
  public static MadCall<Attribute> subnAdmGet(Attribute query) {
    return sa(MadMethod.GET, query);
  }

  /** Adds or changes a record of the subnet administrator: joins a group, offers a service. */
  public static MadCall<Attribute> subnAdmSet(Attribute record) {
    return sa(MadMethod.SET, record);
  }

  /** Deletes a record of the subnet administrator: leaves a group, withdraws a service. */
  public static MadCall<Attribute> subnAdmDelete(Attribute record) {
    return sa(MadMethod.DELETE, record);
  }

  /** Asks the subnet administrator for all records that agree with the components set. */
  public static MadCall<List<Attribute>> subnAdmGetTable(Attribute query) {
    Attribute asked = query.copy();
    return new MadCall<>(
        MgmtClass.SUBN_ADM,
        MadMethod.GET_TABLE,
        asked,
        0,
        null,
        reply -> table(asked.format(), reply));
  }

  private static List<Attribute> table(Format format, MadReply reply) {
    List<Attribute> records = reply.records(format);
    if (records == null) {
      throw new MadException(
          MadException.Kind.PROTOCOL,
          "GetTable(%s): the records of the answer are shorter than its %d bytes"
              .formatted(format, format.length()),
          0);
    }
    return records;
  }

  /**
   * Asks an agent of another class for an attribute: performance management ({@link
   * MgmtClass#PERFORMANCE}), subnet management, or that of a vendor.
   *
   * @param modifier the AttributeModifier
   * @param to the path to the agent's queue pair
   */
  public static MadCall<Attribute> get(
      int mgmtClass, Attribute attribute, int modifier, IbPath to) {
    return one(mgmtClass, MadMethod.GET, attribute, modifier, to);
  }

  /**
   * Sets an attribute of an agent of another class.
   *
   * @param modifier the AttributeModifier
   * @param to the path to the agent's queue pair
   */
  public static MadCall<Attribute> set(
      int mgmtClass, Attribute attribute, int modifier, IbPath to) {
    return one(mgmtClass, MadMethod.SET, attribute, modifier, to);
  }

  /** The same question, whose answer gives all that came with it. */
  public MadCall<MadReply> withReply() {
    return new MadCall<>(mgmtClass, method, attribute, modifier, to, reply -> reply);
  }

  /** Where it goes; null for the subnet administrator. */
  @Nullable IbPath to() {
    return to;
  }

  /** The datagram, without a transaction ID. */
  MemorySegment request() {
    MemorySegment mad = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]);
    MadHeader.BASE_VERSION.set(mad, 0, 1);
    MadHeader.MGMT_CLASS.set(mad, 0, mgmtClass);
    MadHeader.CLASS_VERSION.set(mad, 0, MgmtClass.version(mgmtClass));
    MadHeader.METHOD.set(mad, 0, method);
    MadHeader.ATTRIBUTE_ID.set(mad, 0, attribute.format().attributeId());
    MadHeader.ATTRIBUTE_MODIFIER.set(mad, 0, modifier);
    if (mgmtClass == MgmtClass.SUBN_ADM) {
      SaHeader.COMPONENT_MASK.set(mad, SaHeader.OFFSET, attribute.components());
    }
    attribute.write(mad, MgmtClass.dataOffset(mgmtClass));
    return mad;
  }

  /**
   * What the answer gives.
   *
   * @throws MadException if it is an error
   */
  T result(MadReply reply) {
    int status = reply.status();
    if (status != MadStatus.OK) {
      throw new MadException(
          MadException.Kind.STATUS, this + ": " + MadStatus.text(status), status);
    }
    return result.apply(reply);
  }

  /** Method and attribute, as {@code Get(PathRecord(DLID=0x4))}. */
  @Override
  public String toString() {
    return MadMethod.text(method) + "(" + attribute + ")";
  }
}
