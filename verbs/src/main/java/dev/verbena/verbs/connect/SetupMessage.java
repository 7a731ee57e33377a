package dev.verbena.verbs.connect;

import dev.verbena.verbs.ConnectionData;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of the set-up. In big-endian order: the letters {@code VBCM}, the number of its kind (4
 * bytes), of its queue pairs (4), of its regions (4) and of its bytes (4); for each queue pair the
 * number of its type (4), its Q_Key (4) and its {@link ConnectionData}; for each region its address
 * (8), length (8) and rkey (4); the bytes. Those of a refusal are the reason in UTF-8.
 */
final class SetupMessage {
  /** The length of what comes first. */
  static final int HEADER = 20;

  private static final int MAGIC = 0x5642_434d; // "VBCM"
  private static final int KIND_AT = 4;
  private static final int QPS_AT = 8;
  private static final int REGIONS_AT = 12;
  private static final int BYTES_AT = 16;
  private static final int QP = 2 * Integer.BYTES + ConnectionData.BYTES;
  private static final int REGION = 2 * Long.BYTES + Integer.BYTES;
  private static final int MOST_REASON = 500;

  /** The length of the longest message. */
  static final int MOST =
      HEADER + QP * ConnParam.MAX_QPS + REGION * ConnParam.MAX_REGIONS + ConnParam.MAX_PRIVATE_DATA;

  /** What a message is for. */
  enum Kind {
    /** The connecting end with all that it brings. */
    REQUEST(1, "it has connected by TCP, but not by Connection.connect"),
    /** The accepting end with all that it brings, once the connecting one may send. */
    ACCEPT(
        2,
        "no ConnectionListener is there, or its program does not call accept, serves as many"
            + " others as it can, or had no processor in time (ConnParam.timeout sets how long to"
            + " wait)"),
    /** The accepting end may send, too. */
    READY(3, "it has sent its request, and then no more"),
    /** The sender has no more to send, and ends the connection. */
    END(4, "its program neither calls disconnect nor closes its Connection"),
    /** The sender gives up, for a reason. */
    REFUSAL(5, "");

    private final int number;
    private final String late;

    Kind(int number, String late) {
      this.number = number;
      this.late = late;
    }

    /** Why it usually does not come; empty if nobody waits for it. */
    String late() {
      return late;
    }

    private static Kind of(int number) throws FormatException {
      for (Kind kind : values()) {
        if (kind.number == number) {
          return kind;
        }
      }
      throw new FormatException("a message of kind " + number + ", which does not exist", null);
    }
  }

  private final Kind kind;
  private final List<RemoteQp> qps;
  private final List<RemoteRegion> regions;
  private final byte[] bytes;

  SetupMessage(Kind kind, List<RemoteQp> qps, List<RemoteRegion> regions, byte[] bytes) {
    this.kind = kind;
    this.qps = qps;
    this.regions = regions;
    this.bytes = bytes;
  }

  /** A message that says no more than its kind. */
  static SetupMessage of(Kind kind) {
    return new SetupMessage(kind, List.of(), List.of(), new byte[0]);
  }

  static SetupMessage refusal(String reason) {
    String start = reason.substring(0, Math.min(reason.length(), MOST_REASON));
    return new SetupMessage(
        Kind.REFUSAL, List.of(), List.of(), start.getBytes(StandardCharsets.UTF_8));
  }

  Kind kind() {
    return kind;
  }

  List<RemoteQp> qps() {
    return qps;
  }

  List<RemoteRegion> regions() {
    return regions;
  }

  ByteBuffer bytes() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }

  /** The reason of a refusal, without what a stranger's text should not do to a terminal. */
  String reason() {
    return new String(bytes, StandardCharsets.UTF_8).replaceAll("\\p{C}", "?");
  }

  ByteBuffer encode() {
    ByteBuffer out =
        ByteBuffer.allocate(HEADER + QP * qps.size() + REGION * regions.size() + bytes.length);
    out.putInt(MAGIC).putInt(kind.number);
    out.putInt(qps.size()).putInt(regions.size()).putInt(bytes.length);
    for (RemoteQp qp : qps) {
      out.putInt(qp.type().number()).putInt(qp.qkey());
      out.put(new ConnectionData(qp.endpoint(), 0, 0, 0).toBytes());
    }
    for (RemoteRegion region : regions) {
      out.putLong(region.addr()).putLong(region.length()).putInt(region.rkey());
    }
    return out.put(bytes).flip();
  }

  /**
   * How many bytes follow a header.
   *
   * @throws FormatException if it does not begin a message
   */
  static int bodyLength(ByteBuffer header) throws FormatException {
    int magic = header.getInt(0);
    if (magic != MAGIC) {
      throw new FormatException(
          "0x%08x where a message begins with 0x%08x; both ends must use dev.verbena.verbs.connect"
              .formatted(magic, MAGIC),
          null);
    }
    int qps = header.getInt(QPS_AT);
    int regions = header.getInt(REGIONS_AT);
    int length = header.getInt(BYTES_AT);
    if (outside(qps, ConnParam.MAX_QPS)
        || outside(regions, ConnParam.MAX_REGIONS)
        || outside(length, ConnParam.MAX_PRIVATE_DATA)) {
      throw new FormatException(
          "a message with %d queue pairs, %d regions and %d bytes; the limits are %d, %d and %d"
              .formatted(
                  qps,
                  regions,
                  length,
                  ConnParam.MAX_QPS,
                  ConnParam.MAX_REGIONS,
                  ConnParam.MAX_PRIVATE_DATA),
          null);
    }
    return QP * qps + REGION * regions + length;
  }

  private static boolean outside(int number, int most) {
    return number < 0 || number > most;
  }

  /**
   * Reads a message whose header {@link #bodyLength} has checked.
   *
   * @throws FormatException if it breaks the format
   */
  static SetupMessage decode(ByteBuffer header, ByteBuffer body) throws FormatException {
    Kind kind = Kind.of(header.getInt(KIND_AT));
    List<RemoteQp> qps = new ArrayList<>();
    for (int i = 0; i < header.getInt(QPS_AT); i++) {
      qps.add(remoteQp(body));
    }
    List<RemoteRegion> regions = new ArrayList<>();
    for (int i = 0; i < header.getInt(REGIONS_AT); i++) {
      regions.add(remoteRegion(body));
    }
    byte[] bytes = new byte[body.remaining()];
    body.get(bytes);
    return new SetupMessage(kind, List.copyOf(qps), List.copyOf(regions), bytes);
  }

  private static RemoteRegion remoteRegion(ByteBuffer body) throws FormatException {
    try {
      return new RemoteRegion(body.getLong(), body.getLong(), body.getInt());
    } catch (VerbsException e) {
      throw new FormatException("a region that is none: " + e.getMessage(), e);
    }
  }

  private static RemoteQp remoteQp(ByteBuffer body) throws FormatException {
    int type = body.getInt();
    int qkey = body.getInt();
    byte[] data = new byte[ConnectionData.BYTES];
    body.get(data);
    try {
      return new RemoteQp(QpType.of(type), ConnectionData.ofBytes(data).endpoint(), qkey);
    } catch (VerbsException e) {
      throw new FormatException("a queue pair that is none: " + e.getMessage(), e);
    }
  }
}
