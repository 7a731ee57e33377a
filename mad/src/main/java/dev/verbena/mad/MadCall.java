package dev.verbena.mad;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MadException;
import dev.verbena.verbs.VerbsException;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.DirectedRoute;
import dev.verbena.wire.mad.Format;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.MgmtClass;
import dev.verbena.wire.mad.SaHeader;
import dev.verbena.wire.mad.VendorHeader;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request to a management agent, to be sent by {@link MadTransactor}, and how to read the
 * response. It may be sent several times.
 *
 * @param <T> type of the result
 */
public final class MadCall<T> {
  private final int mgmtClass;
  private final int method;
  private final Attribute attribute;
  private final int modifier;
  private final @Nullable IbPath to;
  private final int oui;
  private final Function<MadReply, T> result;

  private MadCall(
      int mgmtClass,
      int method,
      Attribute attribute,
      int modifier,
      @Nullable IbPath to,
      int oui,
      Function<MadReply, T> result) {
    this.mgmtClass = mgmtClass;
    this.method = method;
    this.attribute = attribute;
    this.modifier = modifier;
    this.to = to;
    this.oui = oui;
    this.result = result;
  }

  private static MadCall<Attribute> one(
      int mgmtClass, int method, Attribute attribute, int modifier, @Nullable IbPath to) {
    Format format = attribute.format();
    if (format.length() > MgmtClass.dataLength(mgmtClass)) {
      throw refused(
          "%s has %d bytes, a datagram of class 0x%02x has %d for it"
              .formatted(format, format.length(), mgmtClass, MgmtClass.dataLength(mgmtClass)));
    }
    if (to != null) {
      requireWay(mgmtClass, to);
    }
    return new MadCall<>(
        mgmtClass, method, attribute.copy(), modifier, to, 0, reply -> only(format, reply));
  }

  /** Checks that a directed route is used with the class that takes one, and with no other. */
  private static void requireWay(int mgmtClass, IbPath to) {
    boolean hasRoute = !to.drPath().isEmpty();
    if (hasRoute != (mgmtClass == MgmtClass.SUBN_DIRECTED_ROUTE)) {
      throw refused(
          "class 0x%02x goes %s a directed route, the path is %s"
              .formatted(mgmtClass, hasRoute ? "without" : "along", to));
    }
    if (hasRoute && to.dlid() != 0 && to.dlid() != Iba.LID_PERMISSIVE) {
      throw refused(
          "a directed route begins at this port, so its DLID is 0x%04x, the path is %s"
              .formatted(Iba.LID_PERMISSIVE, to));
    }
  }

  private static VerbsException refused(String why) {
    return new VerbsException("mad", Errno.EINVAL, why);
  }

  private static Attribute only(Format format, MadReply reply) {
    MemorySegment data = reply.data();
    if (data.byteSize() < format.length()) {
      throw new MadException(
          MadException.Kind.PROTOCOL,
          "the response has %d bytes of data, %s has %d"
              .formatted(data.byteSize(), format, format.length()),
          0);
    }
    return Attribute.read(format, data, 0);
  }

  private static MadCall<Attribute> sa(int method, Attribute record) {
    return one(MgmtClass.SUBN_ADM, method, record, 0, null);
  }

  /** Queries the subnet administrator for the one record that matches the components set. */
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

  /** Queries the subnet administrator for all records that match the components set. */
  public static MadCall<List<Attribute>> subnAdmGetTable(Attribute query) {
    Attribute asked = query.copy();
    return new MadCall<>(
        MgmtClass.SUBN_ADM,
        MadMethod.GET_TABLE,
        asked,
        0,
        null,
        0,
        reply -> table(asked.format(), reply));
  }

  private static List<Attribute> table(Format format, MadReply reply) {
    List<Attribute> records = reply.records(format);
    if (records == null) {
      throw new MadException(
          MadException.Kind.PROTOCOL,
          "GetTable(%s): the records of the response are shorter than its %d bytes"
              .formatted(format, format.length()),
          0);
    }
    return records;
  }

  /**
   * Queries an attribute of a port's subnet management agent. The path's directed route leads there
   * ({@link IbPath#drPath}: 0, this port's number, the number of the port at which to leave the
   * first switch, and so on), or else its DLID. The request goes to queue pair 0, which only a
   * transport other than verbs can reach, such as libibumad.
   *
   * @param modifier the AttributeModifier, such as the number of a port
   * @throws VerbsException EINVAL if the attribute is too long, or the path has a directed route
   *     and a DLID
   */
  public static MadCall<Attribute> subnGet(Attribute attribute, int modifier, IbPath to) {
    return one(subnetManagement(to), MadMethod.GET, attribute, modifier, to);
  }

  /** Sets an attribute of a port's subnet management agent; otherwise like {@link #subnGet}. */
  public static MadCall<Attribute> subnSet(Attribute attribute, int modifier, IbPath to) {
    return one(subnetManagement(to), MadMethod.SET, attribute, modifier, to);
  }

  private static int subnetManagement(IbPath to) {
    return to.drPath().isEmpty() ? MgmtClass.SUBN_LID_ROUTED : MgmtClass.SUBN_DIRECTED_ROUTE;
  }

  /**
   * Queries an attribute of an agent of another class: performance management ({@link
   * MgmtClass#PERFORMANCE}), or a vendor's class ({@link #withOui}).
   *
   * @param modifier the AttributeModifier
   * @param to the path to the agent's queue pair
   * @throws VerbsException EINVAL if the attribute is too long, or the path has a directed route
   *     and the class is another than {@link MgmtClass#SUBN_DIRECTED_ROUTE}, or the reverse
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
   * @throws VerbsException as for {@link #get}
   */
  public static MadCall<Attribute> set(
      int mgmtClass, Attribute attribute, int modifier, IbPath to) {
    return one(mgmtClass, MadMethod.SET, attribute, modifier, to);
  }

  /** The same request, with the whole response as its result. */
  public MadCall<MadReply> withReply() {
    return new MadCall<>(mgmtClass, method, attribute, modifier, to, oui, reply -> reply);
  }

  /**
   * The same request to the agents of one vendor; several vendors may share a class.
   *
   * @param vendor the vendor's number (OUI), 24 bits; 0 unless this is called
   * @throws VerbsException EINVAL if it has more bits, or the class is not one of 0x30 to 0x4F,
   *     which name a vendor
   */
  public MadCall<T> withOui(int vendor) {
    if (!MgmtClass.isVendorWithOui(mgmtClass)) {
      throw refused("class 0x%02x is not a vendor class, 0x30 to 0x4f are".formatted(mgmtClass));
    }
    if (vendor >>> VendorHeader.OUI.bits() != 0) {
      throw refused("OUI 0x%x, the limit is 0xffffff".formatted(vendor));
    }
    return new MadCall<>(mgmtClass, method, attribute, modifier, to, vendor, result);
  }

  /** The path of the request; null for the subnet administrator. */
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
    } else if (MgmtClass.isVendorWithOui(mgmtClass)) {
      VendorHeader.OUI.set(mad, VendorHeader.OFFSET, oui);
    } else if (to != null && mgmtClass == MgmtClass.SUBN_DIRECTED_ROUTE) {
      writeRoute(to.drPath(), mad);
    }
    attribute.write(mad, MgmtClass.dataOffset(mgmtClass));
    return mad;
  }

  /** Writes a directed route; its first number stands for the sender and is not a hop. */
  private static void writeRoute(List<Integer> ports, MemorySegment mad) {
    byte[] route = new byte[ports.size()];
    for (int hop = 0; hop < route.length; hop++) {
      route[hop] = (byte) (int) ports.get(hop);
    }
    DirectedRoute.HOP_COUNT.set(mad, 0, route.length - 1L);
    DirectedRoute.DR_SLID.set(mad, 0, Iba.LID_PERMISSIVE);
    DirectedRoute.DR_DLID.set(mad, 0, Iba.LID_PERMISSIVE);
    DirectedRoute.INITIAL_PATH.setBytes(mad, 0, route);
  }

  /**
   * The result of a response.
   *
   * @throws MadException if it is an error
   */
  T result(MadReply reply) {
    int status = reply.status();
    if (status != MadStatus.OK) {
      throw new MadException(
          MadException.Kind.STATUS, this + ": " + MadStatus.text(mgmtClass, status), status);
    }
    return result.apply(reply);
  }

  /** Method and attribute, such as {@code Get(PathRecord(DLID=0x4))}. */
  @Override
  public String toString() {
    return MadMethod.text(method) + "(" + attribute + ")";
  }
}
