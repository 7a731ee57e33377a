package dev.verbena.soft.transport.packets;

import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sends each chunk as one packet, which is a long one if the link knows such and the chunk has
 * several PSNs. How many may be in flight depends on the largest packet, if each may travel alone,
 * and on the average charge, if that is less because they travel together. Both are estimates, from
 * the last {@value #EPOCH} to two times {@value #EPOCH} packets.
 */
public class PacketPath implements Path {
  /** Packets of an epoch; more than are in flight to one destination, however small. */
  private static final int EPOCH = 1024;

  private final PacketOut out;
  private final QpParameters parameters;
  private final PacketEncoder encoder;
  private final int longPayload;
  private final @Nullable String reason;

  /** Bytes of the largest payload of this epoch, and of the one before. */
  private int largest;

  private int largestBefore;
  private long charge;
  private long chargeBefore;
  private int sent;

  /** Packets of the previous epoch; 0 in the first one. */
  private int sentBefore;

  /**
   * @param out the link towards the peer
   * @param core the queue pair's core
   */
  public PacketPath(PacketOut out, QpCore core) {
    this(out, core, null);
  }

  /**
   * @param reason why messages go no shorter way, in words for people
   */
  public PacketPath(PacketOut out, QpCore core, @Nullable String reason) {
    this.out = out;
    this.reason = reason;
    parameters = core.parameters();
    encoder = new PacketEncoder(core.service());
    longPayload = out.longPayload();
  }

  @Override
  public final int chunkPsns() {
    return longPayload == 0 ? 1 : PacketEncoder.mostPsns(longPayload, parameters.mtu);
  }

  @Override
  public final int run() {
    return out.run(parameters.mtu);
  }

  @Override
  public final int readPsns() {
    return out.mostAnswersInFlight(parameters.mtu);
  }

  @Override
  public final int mostInFlight(long bytes) {
    int next = (int) Math.min(parameters.mtu, bytes);
    int known = Math.max(largest, largestBefore);
    int alone = out.mostInFlight(Math.max(next, known));
    if (sentBefore == 0 || next > known) {
      return alone;
    }
    int average = (int) ((charge + chargeBefore) / (sent + sentBefore));
    return Math.max(alone, out.mostInFlightOf(average, known));
  }

  @Override
  public String words() {
    return reason == null ? "packets" : "packets, because " + reason;
  }

  @Override
  public final boolean isReady() {
    return out.isReady();
  }

  @Override
  public final boolean send(Chunk chunk) {
    int length = -1;
    MemorySegment packet = out.begin();
    try {
      length = encoder.request(packet, chunk);
    } catch (RuntimeException | Error e) {
      out.abandon();
      throw e;
    }
    if (length < 0) {
      out.abandon();
      chunk.losePayload();
      return false;
    }
    int payload = (int) chunk.payload.total;
    int taken = out.commit(length);
    if (taken > 0) {
      note(payload, taken);
    }
    return taken > 0;
  }

  private void note(int payload, int taken) {
    largest = Math.max(largest, payload);
    charge += taken;
    sent++;
    if (sent == EPOCH) {
      largestBefore = largest;
      chargeBefore = charge;
      sentBefore = sent;
      largest = 0;
      charge = 0;
      sent = 0;
    }
  }
}
