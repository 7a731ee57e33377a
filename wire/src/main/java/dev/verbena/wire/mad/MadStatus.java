package dev.verbena.wire.mad;

import java.lang.foreign.MemorySegment;

/** Results of requests, the values of {@link MadHeader#STATUS}. */
public final class MadStatus {
  /** Success. */
  public static final int OK = 0;

  /** Busy: try again later. */
  public static final int BUSY = 0x0001;

  /** The request must go to another agent. */
  public static final int REDIRECT = 0x0002;

  /** The agent does not know this version of the class. */
  public static final int UNSUPPORTED_VERSION = 0x0004;

  /** The agent does not know the method. */
  public static final int UNSUPPORTED_METHOD = 0x0008;

  /** The agent does not know the attribute, or not with this method. */
  public static final int UNSUPPORTED_ATTRIBUTE = 0x000C;

  /** A value of the attribute or its modifier is wrong. */
  public static final int INVALID_FIELD = 0x001C;

  /** Subnet administration: no room for it. */
  public static final int SA_NO_RESOURCES = 0x0100;

  /** Subnet administration: the request makes no sense. */
  public static final int SA_REQ_INVALID = 0x0200;

  /** Subnet administration: no record matches. */
  public static final int SA_NO_RECORDS = 0x0300;

  /** Subnet administration: several records match a Get. */
  public static final int SA_TOO_MANY_RECORDS = 0x0400;

  /** Subnet administration: a GID of the request is not in the sender's subnet. */
  public static final int SA_INVALID_GID = 0x0500;

  /** Subnet administration: components are missing from the request. */
  public static final int SA_INSUFFICIENT_COMPONENTS = 0x0600;

  /** Subnet administration: the sender lacks the permission. */
  public static final int SA_DENIED = 0x0700;

  private static final int COMMON = 0x1F;
  private static final int CLASS = 0xFF00;

  private MadStatus() {}

  /** The status of a datagram of any class, without the direction bit of a directed route. */
  public static int of(MemorySegment mad) {
    boolean isDirected = MadHeader.MGMT_CLASS.get(mad, 0) == MgmtClass.SUBN_DIRECTED_ROUTE;
    return (int) (isDirected ? DirectedRoute.STATUS : MadHeader.STATUS).get(mad, 0);
  }

  /**
   * Its meaning, such as {@code 0x0300 no records}. The upper byte is specific to the class; only
   * subnet administration's is known.
   */
  public static String text(int mgmtClass, int status) {
    int ofClass = status & CLASS;
    if (ofClass != 0 && mgmtClass != MgmtClass.SUBN_ADM) {
      return "0x%04x of class 0x%02x".formatted(status, mgmtClass);
    }
    return "0x%04x %s".formatted(status, words(ofClass != 0 ? ofClass : status & COMMON));
  }

  private static String words(int meaning) {
    return switch (meaning) {
      case OK -> "success";
      case BUSY -> "busy";
      case REDIRECT -> "redirection";
      case UNSUPPORTED_VERSION -> "unsupported class version";
      case UNSUPPORTED_METHOD -> "unsupported method";
      case UNSUPPORTED_ATTRIBUTE -> "unsupported method and attribute";
      case INVALID_FIELD -> "invalid attribute field";
      case SA_NO_RESOURCES -> "no resources";
      case SA_REQ_INVALID -> "invalid request";
      case SA_NO_RECORDS -> "no records";
      case SA_TOO_MANY_RECORDS -> "too many records";
      case SA_INVALID_GID -> "invalid GID";
      case SA_INSUFFICIENT_COMPONENTS -> "insufficient components";
      case SA_DENIED -> "denied";
      default -> "unknown";
    };
  }
}
