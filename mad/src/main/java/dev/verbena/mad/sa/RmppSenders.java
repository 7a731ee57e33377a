package dev.verbena.mad.sa;

import dev.verbena.verbs.spi.MadSource;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadMethod;
import dev.verbena.wire.mad.RmppHeader;
import dev.verbena.wire.mad.SaHeader;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Sends tables in segments (RMPP): the first by itself, the others as ACKs allow. It has no clock:
 * a receiver that misses a segment acknowledges again what it has, or repeats its request. A table
 * is dropped when all of it was acknowledged, when either side gives up, or when {@link #LIMIT}
 * others came after it.
 */
final class RmppSenders {
  /** Maximum number of tables in flight. */
  static final int LIMIT = 16;

  /** Maximum number of segments sent for one ACK. */
  static final int BURST = 64;

  /** The receiver of a table, and its request. */
  private record Key(int lid, int qpNum, long transactionId) {
    static Key of(MadSource source, MemorySegment mad) {
      long id = MadHeader.TRANSACTION_ID.get(mad, 0);
      return new Key(source.lid(), source.qpNum(), id);
    }
  }

  /** A table in flight; all its segments have this header. */
  private record Table(MemorySegment header, MemorySegment data) {
    int length() {
      return (int) data.byteSize();
    }

    int segments() {
      return Math.max(1, Math.ceilDiv(length(), SaHeader.DATA_LENGTH));
    }

    void write(MemorySegment mad, int number) {
      int from = (number - 1) * SaHeader.DATA_LENGTH;
      int length = Math.min(SaHeader.DATA_LENGTH, length() - from);
      boolean first = number == 1;
      boolean last = number == segments();
      int payload = 0;
      if (last) {
        payload = SaHeader.FORMAT.length() + length;
      } else if (first) {
        payload = SaHeader.FORMAT.length() * segments() + length();
      }
      MemorySegment.copy(header, 0, mad, 0, SaHeader.DATA);
      mad.asSlice(SaHeader.DATA).fill((byte) 0);
      MemorySegment.copy(data, from, mad, SaHeader.DATA, length);
      int flags = (first ? RmppHeader.FIRST : 0) | (last ? RmppHeader.LAST : 0);
      RmppHeader.FLAGS.set(mad, RmppHeader.OFFSET, RmppHeader.ACTIVE | flags);
      RmppHeader.SEGMENT.set(mad, RmppHeader.OFFSET, number);
      RmppHeader.LENGTH_OR_WINDOW.set(mad, RmppHeader.OFFSET, payload);
    }
  }

  private final Map<Key, Table> tables = new LinkedHashMap<>();

  /** Whether a datagram concerns a table and is not a request. */
  static boolean isAbout(MemorySegment mad) {
    return (RmppHeader.FLAGS.get(mad, RmppHeader.OFFSET) & RmppHeader.ACTIVE) != 0;
  }

  /**
   * Starts to send a table.
   *
   * @param request the request that it answers
   * @param stride length of each record in bytes
   */
  void begin(
      MadSource source,
      MemorySegment request,
      List<Attribute> records,
      int stride,
      Consumer<MemorySegment> answer) {
    MemorySegment data = MemorySegment.ofArray(new byte[records.size() * stride]);
    for (int n = 0; n < records.size(); n++) {
      records.get(n).write(data, (long) n * stride);
    }
    MemorySegment header = MemorySegment.ofArray(new byte[SaHeader.DATA]);
    MemorySegment.copy(request, 0, header, 0, SaHeader.DATA);
    MadHeader.METHOD.set(header, 0, MadMethod.GET_TABLE_RESP);
    MadHeader.STATUS.set(header, 0, 0);
    RmppHeader.VERSION.set(header, RmppHeader.OFFSET, RmppHeader.VERSION_1);
    RmppHeader.TYPE.set(header, RmppHeader.OFFSET, RmppHeader.DATA);
    RmppHeader.RESPONSE_TIME.set(header, RmppHeader.OFFSET, 0);
    RmppHeader.STATUS.set(header, RmppHeader.OFFSET, 0);
    SaHeader.ATTRIBUTE_OFFSET.set(header, SaHeader.OFFSET, stride / Long.BYTES);
    Key key = Key.of(source, request);
    Table table = new Table(header, data);
    tables.remove(key);
    tables.put(key, table);
    if (tables.size() > LIMIT) {
      tables.remove(tables.keySet().iterator().next());
    }
    send(table, 1, 1, answer);
  }

  /** Receives a datagram that {@link #isAbout} a table. */
  void receive(MadSource source, MemorySegment mad, Consumer<MemorySegment> answer) {
    Key key = Key.of(source, mad);
    Table table = tables.get(key);
    if (table == null) {
      return;
    }
    switch ((int) RmppHeader.TYPE.get(mad, RmppHeader.OFFSET)) {
      case RmppHeader.ACK -> acknowledged(key, table, mad, answer);
      case RmppHeader.STOP, RmppHeader.ABORT -> tables.remove(key);
      default -> abort(key, table, RmppHeader.BAD_TYPE, answer);
    }
  }

  private void acknowledged(
      Key key, Table table, MemorySegment mad, Consumer<MemorySegment> answer) {
    long received = RmppHeader.SEGMENT.get(mad, RmppHeader.OFFSET);
    long window = RmppHeader.LENGTH_OR_WINDOW.get(mad, RmppHeader.OFFSET);
    if (received > table.segments()) {
      abort(key, table, RmppHeader.SEGMENT_TOO_BIG, answer);
    } else if (window < received) {
      abort(key, table, RmppHeader.WINDOW_TOO_SMALL, answer);
    } else if (received == table.segments()) {
      tables.remove(key);
    } else {
      long last = Math.min(Math.min(window, received + BURST), table.segments());
      send(table, (int) received + 1, (int) last, answer);
    }
  }

  private static void send(Table table, int first, int last, Consumer<MemorySegment> answer) {
    MemorySegment mad = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]);
    for (int number = first; number <= last; number++) {
      table.write(mad, number);
      answer.accept(mad);
    }
  }

  private void abort(Key key, Table table, int status, Consumer<MemorySegment> answer) {
    tables.remove(key);
    MemorySegment mad = MemorySegment.ofArray(new byte[MadHeader.MAD_LENGTH]);
    MemorySegment.copy(table.header(), 0, mad, 0, SaHeader.DATA);
    RmppHeader.TYPE.set(mad, RmppHeader.OFFSET, RmppHeader.ABORT);
    RmppHeader.FLAGS.set(mad, RmppHeader.OFFSET, RmppHeader.ACTIVE);
    RmppHeader.STATUS.set(mad, RmppHeader.OFFSET, status);
    answer.accept(mad);
  }

  /** The number of tables in flight. */
  int size() {
    return tables.size();
  }
}
