package dev.verbena.wire.mad;

/** Methods, the values of {@link MadHeader#METHOD}. */
public final class MadMethod {
  /** Asks for an attribute. */
  public static final int GET = 0x01;

  /** Sets an attribute, or adds a record. */
  public static final int SET = 0x02;

  /** Asks for all records that match. */
  public static final int GET_TABLE = 0x12;

  /** Deletes a record. */
  public static final int DELETE = 0x15;

  /** The answer to Get and to Set. */
  public static final int GET_RESP = 0x81;

  /** The answer to GetTable. */
  public static final int GET_TABLE_RESP = 0x92;

  /** The answer to Delete. */
  public static final int DELETE_RESP = 0x95;

  /** The bit that marks the method of an answer. */
  public static final int RESPONSE = 0x80;

  private MadMethod() {}

  /** The method of the answer. */
  public static int answerTo(int method) {
    return method == SET ? GET_RESP : method | RESPONSE;
  }

  /** Its name, such as {@code GetTable}. */
  public static String text(int method) {
    return switch (method) {
      case GET -> "Get";
      case SET -> "Set";
      case GET_TABLE -> "GetTable";
      case DELETE -> "Delete";
      case GET_RESP -> "GetResp";
      case GET_TABLE_RESP -> "GetTableResp";
      case DELETE_RESP -> "DeleteResp";
      default -> "method 0x%02x".formatted(method);
    };
  }
}
