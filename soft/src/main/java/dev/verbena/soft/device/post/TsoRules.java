package dev.verbena.soft.device.post;

import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.queue.TsoTemplate;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.TsoHeader;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The rules for TSO requests of one queue pair (S1.3.10, S9.6). The header is copied while posting
 * (S2.17). Runs under the post guard.
 */
final class TsoRules {
  private static final int MAX_MSS = 0xffff;

  private final QpType type;
  private final int maxHeader;
  private final int maxPacket;
  private final TsoHeader header = new TsoHeader();

  /**
   * @param maxHeader max_tso_header as granted; 0 if there is no TSO
   * @param maxPacket bytes of the longest segment with its header
   */
  TsoRules(QpType type, int maxHeader, int maxPacket) {
    this.type = type;
    this.maxHeader = maxHeader;
    this.maxPacket = maxPacket;
  }

  /** Stores a copy of the header in the request; returns null, or the reason for a refusal. */
  @Nullable Refusal take(SendWqe wqe, @Nullable MemorySegment hdr, int mss) {
    TsoTemplate template = wqe.tso;
    Refusal refusal = sizes(hdr, mss);
    if (refusal != null || template == null || hdr == null) {
      return refusal;
    }
    try {
      template.set(hdr, mss);
    } catch (IllegalStateException | InternalError e) {
      return Refusal.invalid("the memory of the TSO header is gone");
    } catch (WrongThreadException e) {
      return Refusal.invalid("the TSO header belongs to another thread's confined arena");
    }
    return content(template);
  }

  private @Nullable Refusal sizes(@Nullable MemorySegment hdr, int mss) {
    if (hdr == null || hdr.byteSize() == 0) {
      return Refusal.invalid("a TSO request without header");
    }
    if (hdr.byteSize() > maxHeader) {
      return Refusal.invalid(
          "a TSO header of "
              + hdr.byteSize()
              + " bytes, this QP was created with max_tso_header="
              + maxHeader);
    }
    if (mss < 1 || mss > MAX_MSS) {
      return Refusal.invalid("mss " + mss + " is not in 1 to " + MAX_MSS);
    }
    return hdr.byteSize() + mss > maxPacket
        ? Refusal.invalid(
            "segments of "
                + (hdr.byteSize() + mss)
                + " bytes with their header, the port has "
                + maxPacket)
        : null;
  }

  private @Nullable Refusal content(TsoTemplate template) {
    boolean ethernet = type == QpType.RAW_PACKET;
    if (!header.template(template.header(), template.length(), ethernet)) {
      return Refusal.invalid(
          "the TSO header is not "
              + (ethernet ? "Ethernet" : "four bytes of IP over InfiniBand")
              + ", unfragmented IPv4 or IPv6, and TCP, with nothing after it");
    }
    return template.mss() > header.mostPayload()
        ? Refusal.invalid(
            "mss " + template.mss() + ", an IP packet has room for " + header.mostPayload())
        : null;
  }
}
