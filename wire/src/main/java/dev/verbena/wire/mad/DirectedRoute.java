package dev.verbena.wire.mad;

/**
 * The additional header of {@link MgmtClass#SUBN_DIRECTED_ROUTE} datagrams, which replaces part of
 * the {@link MadHeader}: a route of port numbers, which each switch on the way reads and advances.
 */
public final class DirectedRoute {
  private static final Format.Builder LAYOUT = Format.header("directed route");

  /** 1 on the way back. With {@link #STATUS} it replaces {@link MadHeader#STATUS}. */
  public static final Field DIRECTION = LAYOUT.reserved(32).field("D", 1);

  /** As {@link MadHeader#STATUS}, of 15 bits. */
  public static final Field STATUS = LAYOUT.field("Status", 15);

  /** The number of hops so far; 0 when it is sent. */
  public static final Field HOP_POINTER = LAYOUT.field("HopPointer", 8);

  /** The number of links that it takes, 0 to 63. */
  public static final Field HOP_COUNT = LAYOUT.field("HopCount", 8);

  /** The key of the managed port; usually 0. */
  public static final Field M_KEY = LAYOUT.reserved(128).field("M_Key", 64);

  /** Where the directed part of the route begins, by LID; 0xFFFF if that is the sender. */
  public static final Field DR_SLID = LAYOUT.field("DrSLID", 16);

  /** Where the directed part of the route ends, by LID; 0xFFFF if that is the destination. */
  public static final Field DR_DLID = LAYOUT.field("DrDLID", 16);

  /** The port to leave by at each hop, from byte 1 on. */
  public static final Field INITIAL_PATH = LAYOUT.reserved(92 * 8).field("InitialPath", 512);

  /** The ports for the way back, which the switches write. */
  public static final Field RETURN_PATH = LAYOUT.field("ReturnPath", 512);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  /** Bytes of data between the header and the route, as in all of subnet management. */
  public static final int DATA_LENGTH = 64;

  /** The most links of a route. */
  public static final int MAX_HOPS = 63;

  private DirectedRoute() {}
}
