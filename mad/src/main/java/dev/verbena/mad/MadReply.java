package dev.verbena.mad;

import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.wire.mad.Attribute;
import dev.verbena.wire.mad.Format;
import dev.verbena.wire.mad.MadHeader;
import dev.verbena.wire.mad.MadStatus;
import dev.verbena.wire.mad.MgmtClass;
import dev.verbena.wire.mad.SaHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The response of an agent. */
public final class MadReply {
  private final MadAddress from;
  private final MemorySegment mad;
  private final @Nullable RmppReceiver segments;

  /**
   * @param mad the datagram, which must not change; of a segmented response the last one
   * @param segments the complete response, or null if there is only the datagram
   */
  MadReply(MadAddress from, MemorySegment mad, @Nullable RmppReceiver segments) {
    this.from = from;
    this.mad = mad.asReadOnly();
    this.segments = segments;
  }

  /** The agent's address, for further requests. */
  public MadAddress from() {
    return from;
  }

  /** The datagram, read-only; of a segmented response the one that completed it. */
  public MemorySegment mad() {
    return mad;
  }

  /** The status; see {@link MadStatus}. */
  public int status() {
    return MadStatus.of(mad);
  }

  /** The data after the headers of the class, read-only; of a segmented response all of it. */
  public MemorySegment data() {
    if (segments != null) {
      return MemorySegment.ofArray(segments.data()).asReadOnly();
    }
    int mgmtClass = (int) MadHeader.MGMT_CLASS.get(mad, 0);
    return mad.asSlice(MgmtClass.dataOffset(mgmtClass), MgmtClass.dataLength(mgmtClass));
  }

  /**
   * The records of a table of the subnet administrator. A response without segments holds what fits
   * into one datagram: a record, or none if it does not give the record length.
   *
   * @return null if the records are shorter than the format
   */
  @Nullable List<Attribute> records(Format format) {
    MemorySegment data = data();
    long stride;
    if (segments != null) {
      stride = segments.stride();
    } else {
      stride = SaHeader.ATTRIBUTE_OFFSET.get(mad, SaHeader.OFFSET) * Long.BYTES;
      data = data.asSlice(0, Math.min(stride, SaHeader.DATA_LENGTH));
    }
    if (data.byteSize() == 0) {
      return List.of();
    }
    if (stride < format.length()) {
      return null;
    }
    List<Attribute> records = new ArrayList<>();
    for (long at = 0; at + stride <= data.byteSize(); at += stride) {
      records.add(Attribute.read(format, data, at));
    }
    return records;
  }
}
