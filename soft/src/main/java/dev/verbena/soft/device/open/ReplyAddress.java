package dev.verbena.soft.device.open;

import dev.verbena.soft.device.spec.Limits;
import dev.verbena.soft.memory.LateErrors;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.Rate;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Reads the address for a reply from a UD receive (S3.3.4, S3.3.5). */
public final class ReplyAddress {
  private static final String FUNCTION = "initAhFromWc";

  /** The address of the sender, as {@link dev.verbena.verbs.Context#initAhFromWc} returns it. */
  public static AhAttr of(
      SoftPort port, int portNum, WorkCompletion wc, @Nullable MemorySegment grh) {
    SoftPort.checkNumber(FUNCTION, portNum);
    if ((wc.wcFlags() & WcFlags.GRH) == 0) {
      return attr(false, Gid.ZERO, 0, 0, 0, 0, wc, portNum);
    }
    if (grh == null || grh.byteSize() < Grh.LENGTH) {
      throw refused(
          Errno.EINVAL,
          (grh == null ? "no" : grh.byteSize())
              + " bytes of GRH, a completion with the flag GRH has "
              + Grh.LENGTH);
    }
    Grh header = read(grh);
    if (!header.sgid().isIpv4Mapped() && header.nextHeader() != port.kind().nextHeader()) {
      throw refused(
          Errno.EPROTONOSUPPORT,
          "next header "
              + header.nextHeader()
              + " of the GRH area is not "
              + port.kind().nextHeader()
              + ", as link layer "
              + port.kind().linkLayer()
              + " has it");
    }
    return attr(
        true,
        header.sgid(),
        index(port, header.dgid()),
        header.flowLabel(),
        header.hopLimit(),
        header.trafficClass(),
        wc,
        portNum);
  }

  private static Grh read(MemorySegment area) {
    try {
      Grh header = Grh.of(area);
      LateErrors.raise();
      return header;
    } catch (VerbsException e) {
      throw new VerbsException(FUNCTION, e.errno(), "the GRH area holds no IP header", e);
    } catch (IllegalStateException | InternalError e) {
      throw new VerbsException(
          FUNCTION,
          Errno.EFAULT,
          "the memory of the GRH area is gone: its arena was closed, or its file truncated",
          e);
    }
  }

  private static int index(SoftPort port, Gid destination) {
    if (destination.isMulticast()) {
      throw refused(
          Errno.EINVAL,
          "it was sent to the multicast group " + destination + ", from which no reply can come");
    }
    for (int index = 0; index < Limits.GIDS; index++) {
      if (port.gid(FUNCTION, index).equals(destination)) {
        return index;
      }
    }
    throw refused(Errno.EINVAL, destination + ", which it was sent to, is not in the GID table");
  }

  private static AhAttr attr(
      boolean isGlobal,
      Gid dgid,
      int sgidIndex,
      int flowLabel,
      int hopLimit,
      int trafficClass,
      WorkCompletion wc,
      int portNum) {
    return new AhAttr(
        isGlobal,
        dgid,
        sgidIndex,
        flowLabel,
        hopLimit,
        trafficClass,
        wc.slid(),
        wc.sl(),
        wc.dlidPathBits(),
        Rate.MAX,
        portNum);
  }

  private static VerbsException refused(int errno, String detail) {
    return new VerbsException(FUNCTION, errno, detail);
  }

  private ReplyAddress() {}
}
