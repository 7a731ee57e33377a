package dev.verbena.wire.mad;

/** A port of the subnet; the fields of {@link PortInfo} are part of it. */
public final class PortInfoRecord {
  private static final Format.Builder LAYOUT = Format.record("PortInfoRecord", 0x12);

  /** LID of the port; for a port of a switch, that of the switch. */
  public static final Field ENDPORT_LID = LAYOUT.field("EndportLID", 16);

  /** Number of the port. */
  public static final Field PORT_NUM = LAYOUT.field("PortNum", 8);

  /** Options of a query. */
  public static final Field OPTIONS = LAYOUT.field("Options", 8);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.part(PortInfo.FORMAT).build();

  private PortInfoRecord() {}
}
