package dev.verbena.soft.transport.frames;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.LateErrors;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.TsoTemplate;
import dev.verbena.wire.InternetChecksum;
import dev.verbena.wire.TsoHeader;
import java.lang.foreign.MemorySegment;

/**
 * Puts headers in front of the segments of a TSO request (S9.6). A header is valid until the next
 * one is made.
 */
public final class Segmenter {
  private final boolean ethernet;
  private final TsoHeader header = new TsoHeader();
  private MemorySegment space = MemorySegment.NULL;

  /**
   * @param ethernet whether headers begin with Ethernet; otherwise with IP over InfiniBand
   */
  public Segmenter(boolean ethernet) {
    this.ethernet = ethernet;
  }

  /**
   * Makes the header of a segment.
   *
   * @param template the request's template, which was checked when it was posted
   * @param index of the segment, from 0
   * @param last whether it is the last
   * @param data the segment's part of the stream
   * @param into gets the header and then the data
   * @return NONE, or MEMORY_GONE if the memory of the data no longer exists
   */
  public AccessFault prepend(
      TsoTemplate template, int index, boolean last, SpanList data, SpanList into) {
    int length = template.length();
    if (space.byteSize() < length) {
      space = MemorySegment.ofArray(new byte[(int) template.header().byteSize()]);
    }
    int payload = (int) data.total;
    header.template(template.header(), length, ethernet);
    header.write(space, 0, index, template.mss(), payload, last);
    InternetChecksum sum = header.beginChecksum(space, 0, payload);
    into.add(space, 0, length);
    try {
      for (int i = 0; i < data.count(); i++) {
        sum.add(data.segment(i), data.offset(i), data.length(i));
        into.add(data.segment(i), data.offset(i), data.length(i));
      }
      LateErrors.raise();
    } catch (IllegalStateException | InternalError e) {
      // See SpanList.copyTo.
      return AccessFault.MEMORY_GONE;
    }
    header.seal(space, 0);
    return AccessFault.NONE;
  }
}
