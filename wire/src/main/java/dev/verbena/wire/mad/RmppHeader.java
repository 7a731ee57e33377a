package dev.verbena.wire.mad;

/**
 * The header of the reliable multi-packet protocol, which carries what one datagram cannot hold: 12
 * bytes after the {@link MadHeader}.
 */
public final class RmppHeader {
  private static final Format.Builder LAYOUT = Format.header("RMPP header");

  /** Version of the protocol, {@link #VERSION_1}. */
  public static final Field VERSION = LAYOUT.field("RMPPVersion", 8);

  /** {@link #DATA}, {@link #ACK}, {@link #STOP} or {@link #ABORT}. */
  public static final Field TYPE = LAYOUT.field("RMPPType", 8);

  /** The receiver's response time, as an exponent; 31 means unknown. */
  public static final Field RESPONSE_TIME = LAYOUT.field("RRespTime", 5);

  /** {@link #ACTIVE}, {@link #FIRST}, {@link #LAST}. */
  public static final Field FLAGS = LAYOUT.field("RMPPFlags", 3);

  /** The reason, for STOP and ABORT. */
  public static final Field STATUS = LAYOUT.field("RMPPStatus", 8);

  /** Number of a segment, from 1; in an ACK, the last segment received. */
  public static final Field SEGMENT = LAYOUT.field("SegmentNumber", 32);

  /**
   * In DATA, the bytes from the first segment on, or of the last; in an ACK, the last segment that
   * may be sent.
   */
  public static final Field LENGTH_OR_WINDOW = LAYOUT.field("PayloadLength or NewWindowLast", 32);

  /** All of them. */
  public static final Format FORMAT = LAYOUT.build();

  /** Where it begins. */
  public static final int OFFSET = 24;

  /** Where its payload begins. */
  public static final int PAYLOAD = 36;

  /** Bytes of payload of one segment, the {@link SaHeader} among them. */
  public static final int SEGMENT_LENGTH = 220;

  /** The only version. */
  public static final int VERSION_1 = 1;

  /** Type: a segment. */
  public static final int DATA = 1;

  /** Type: the segments received, and those that may be sent. */
  public static final int ACK = 2;

  /** Type: the receiver has no room. */
  public static final int STOP = 3;

  /** Type: one side gives up. */
  public static final int ABORT = 4;

  /** Flag: the header is valid. */
  public static final int ACTIVE = 1;

  /** Flag: the first segment. */
  public static final int FIRST = 2;

  /** Flag: the last segment. */
  public static final int LAST = 4;

  /** Status: resources exhausted. */
  public static final int RESOURCES_EXHAUSTED = 1;

  /** Status: last segment and length do not match. */
  public static final int INCONSISTENT_LAST = 119;

  /** Status: first segment and number do not match. */
  public static final int INCONSISTENT_FIRST = 120;

  /** Status: no such type. */
  public static final int BAD_TYPE = 121;

  /** Status: an ACK whose window ends before the segment that it acknowledges. */
  public static final int WINDOW_TOO_SMALL = 122;

  /** Status: a segment beyond the window, or an ACK of one that was not sent. */
  public static final int SEGMENT_TOO_BIG = 123;

  /** Status: no such version. */
  public static final int UNSUPPORTED_VERSION = 125;

  private RmppHeader() {}
}
