package dev.verbena.mad;

import dev.verbena.wire.mad.Field;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.MgmtClass;
import dev.verbena.wire.mad.RmppHeader;
import dev.verbena.wire.mad.SaHeader;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles one segmented response (RMPP). Each segment has the headers of its class and carries
 * some data. Segments may be lost, duplicated and reordered. At most {@link #WINDOW} segments that
 * are out of order are kept, and at most a limit in all.
 *
 * <p>The sender may send the first segment, and then as many as ACKs allow: each ACK allows {@link
 * #WINDOW} segments after the one that it acknowledges, and is sent when the sender would otherwise
 * have to wait.
 */
final class RmppReceiver {
  /** The number of segments that may be in flight. */
  static final int WINDOW = 32;

  /** What to do after a segment. */
  enum Step {
    /** More segments are missing. */
    WAIT,
    /** More segments are missing, and the sender waits for an ACK. */
    ACKNOWLEDGE,
    /** The response is complete, and must be acknowledged. */
    COMPLETE,
    /** The response cannot be received, and the sender must be told: {@link #failure()}. */
    GIVE_UP,
    /** The sender has given up: {@link #failure()}. */
    ENDED
  }

  private final int mgmtClass;
  private final int dataOffset;
  private final int maxBytes;
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private final Map<Integer, byte[]> early = new HashMap<>();

  private int received;
  private int windowEnd = 1;
  private int last = Integer.MAX_VALUE;
  private int attributeOffset;
  private int failure;
  private byte @Nullable [] template;

  /**
   * @param mgmtClass a class whose responses may be segmented
   * @param maxBytes maximum data in bytes
   */
  RmppReceiver(int mgmtClass, int maxBytes) {
    this.mgmtClass = mgmtClass;
    this.dataOffset = MgmtClass.dataOffset(mgmtClass);
    this.maxBytes = maxBytes;
  }

  /** Whether a datagram belongs to a segmented response. */
  static boolean isSegmented(MemorySegment mad) {
    return MgmtClass.hasRmpp((int) MadHeader.MGMT_CLASS.get(mad, 0))
        && (field(RmppHeader.FLAGS, mad) & RmppHeader.ACTIVE) != 0
        && field(RmppHeader.TYPE, mad) != 0;
  }

  /** Receives a datagram that {@link #isSegmented}. */
  Step receive(MemorySegment mad) {
    if (field(RmppHeader.VERSION, mad) != RmppHeader.VERSION_1) {
      return giveUp(RmppHeader.UNSUPPORTED_VERSION);
    }
    return switch (field(RmppHeader.TYPE, mad)) {
      case RmppHeader.DATA -> segment(mad);
      case RmppHeader.STOP, RmppHeader.ABORT -> ended(field(RmppHeader.STATUS, mad));
      // An ACK of segments that were never sent does no harm.
      case RmppHeader.ACK -> Step.WAIT;
      default -> giveUp(RmppHeader.BAD_TYPE);
    };
  }

  private Step segment(MemorySegment mad) {
    int number = field(RmppHeader.SEGMENT, mad);
    int flags = field(RmppHeader.FLAGS, mad);
    boolean isLast = (flags & RmppHeader.LAST) != 0;
    if (number < 1 || (number == 1) != ((flags & RmppHeader.FIRST) != 0)) {
      return giveUp(RmppHeader.INCONSISTENT_FIRST);
    }
    if (number <= received) {
      // The sender repeats a segment, so it does not know what has arrived.
      return Step.ACKNOWLEDGE;
    }
    if (number > windowEnd) {
      return giveUp(RmppHeader.SEGMENT_TOO_BIG);
    }
    int length = isLast ? lastLength(mad) : dataLength();
    if (length < 0 || number > last || contradictsLast(isLast, number)) {
      return giveUp(RmppHeader.INCONSISTENT_LAST);
    }
    if (template == null) {
      template = mad.asSlice(0, dataOffset).toArray(ValueLayout.JAVA_BYTE);
    }
    if (number == 1 && mgmtClass == MgmtClass.SUBN_ADM) {
      attributeOffset = (int) SaHeader.ATTRIBUTE_OFFSET.get(mad, SaHeader.OFFSET);
    }
    if (isLast) {
      last = number;
    }
    early.putIfAbsent(number, mad.asSlice(dataOffset, length).toArray(ValueLayout.JAVA_BYTE));
    return append();
  }

  /** Whether another segment was marked as the last one before. */
  private boolean contradictsLast(boolean isLast, int number) {
    return isLast && last != Integer.MAX_VALUE && last != number;
  }

  private Step append() {
    for (byte[] next = early.remove(received + 1); next != null; ) {
      if (data.size() + next.length > maxBytes) {
        return giveUp(RmppHeader.RESOURCES_EXHAUSTED);
      }
      data.writeBytes(next);
      received++;
      next = early.remove(received + 1);
    }
    if (received == last) {
      return early.isEmpty() ? Step.COMPLETE : giveUp(RmppHeader.INCONSISTENT_LAST);
    }
    return received == windowEnd ? Step.ACKNOWLEDGE : Step.WAIT;
  }

  /** Bytes of data in the last segment; -1 if its length is impossible. */
  private int lastLength(MemorySegment mad) {
    int payload = field(RmppHeader.LENGTH_OR_WINDOW, mad);
    int length = payload - (dataOffset - RmppHeader.PAYLOAD);
    // Zero means a full segment.
    if (payload == 0) {
      return dataLength();
    }
    return length < 0 || length > dataLength() ? -1 : length;
  }

  /** Bytes of data in a full segment. */
  private int dataLength() {
    return MgmtClass.dataLength(mgmtClass);
  }

  private Step giveUp(int status) {
    failure = status;
    early.clear();
    return Step.GIVE_UP;
  }

  private Step ended(int status) {
    failure = status;
    early.clear();
    return Step.ENDED;
  }

  /** The RMPP status with which it failed. */
  int failure() {
    return failure;
  }

  /** The number of segments received without a gap. */
  int received() {
    return received;
  }

  /** Whether any segment has been received. */
  boolean hasBegun() {
    return template != null;
  }

  /** The data, once it is complete. */
  byte[] data() {
    return data.toByteArray();
  }

  /** Distance between records in the data, in bytes; 0 if not given. */
  int stride() {
    return attributeOffset * Long.BYTES;
  }

  /** Makes an ACK of what has arrived, which allows the sender to continue. */
  void acknowledge(MemorySegment mad) {
    windowEnd = Math.min(received + WINDOW, last);
    control(mad, RmppHeader.ACK, 0);
    RmppHeader.SEGMENT.set(mad, RmppHeader.OFFSET, received);
    RmppHeader.LENGTH_OR_WINDOW.set(mad, RmppHeader.OFFSET, windowEnd);
  }

  /**
   * Makes the message that tells the sender to end: a STOP if there is no room for more, which is
   * not an error of the sender, and an ABORT otherwise.
   *
   * @param cause a datagram from the sender
   */
  void giveUp(MemorySegment mad, MemorySegment cause) {
    template = cause.asSlice(0, dataOffset).toArray(ValueLayout.JAVA_BYTE);
    boolean isFull = failure == RmppHeader.RESOURCES_EXHAUSTED;
    control(mad, isFull ? RmppHeader.STOP : RmppHeader.ABORT, failure);
  }

  /** Makes a reply to the sender: its own header, with the direction reversed. */
  private void control(MemorySegment mad, int type, int status) {
    byte[] header = template;
    if (header == null) {
      throw new IllegalStateException("nothing was received");
    }
    mad.fill((byte) 0);
    MemorySegment.copy(header, 0, mad, ValueLayout.JAVA_BYTE, 0, header.length);
    MadHeader.METHOD.set(mad, 0, MadHeader.METHOD.get(mad, 0) ^ MadMethod.RESPONSE);
    RmppHeader.VERSION.set(mad, RmppHeader.OFFSET, RmppHeader.VERSION_1);
    RmppHeader.TYPE.set(mad, RmppHeader.OFFSET, type);
    RmppHeader.FLAGS.set(mad, RmppHeader.OFFSET, RmppHeader.ACTIVE);
    RmppHeader.STATUS.set(mad, RmppHeader.OFFSET, status);
    RmppHeader.SEGMENT.set(mad, RmppHeader.OFFSET, 0);
    RmppHeader.LENGTH_OR_WINDOW.set(mad, RmppHeader.OFFSET, 0);
  }

  private static int field(Field field, MemorySegment mad) {
    return (int) field.get(mad, RmppHeader.OFFSET);
  }
}
