package dev.verbena.soft.transport.packets;

import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import java.lang.foreign.MemorySegment;

/**
 * Sends each chunk as one packet. How many may be in flight depends on the largest of them. That is
 * known roughly: it is among the last {@value #EPOCH} to two times {@value #EPOCH} that were sent.
 */
public final class PacketPath implements Path {
  /** Packets; more than are in flight to one destination, however small. */
  private static final int EPOCH = 512;

  private final PacketOut out;
  private final QpParameters parameters;
  private final PacketEncoder encoder;

  /** Bytes of the largest payload of this epoch, and of the one before. */
  private int largest;

  private int largestBefore;
  private int sent;

  /**
   * @param out the link towards the peer
   * @param core of the queue pair
   */
  public PacketPath(PacketOut out, QpCore core) {
    this.out = out;
    parameters = core.parameters();
    encoder = new PacketEncoder(core.service());
  }

  @Override
  public int chunkPsns() {
    return 1;
  }

  @Override
  public int readPsns() {
    return out.answerWindow(parameters.mtu());
  }

  @Override
  public int window(long bytes) {
    int next = (int) Math.min(parameters.mtu(), bytes);
    return out.window(Math.max(next, Math.max(largest, largestBefore)));
  }

  @Override
  public boolean isReady() {
    return out.isReady();
  }

  @Override
  public boolean send(Chunk chunk) {
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
    int payload = (int) chunk.payload().total();
    boolean taken = out.commit(length);
    if (taken) {
      largest = Math.max(largest, payload);
      sent++;
      if (sent == EPOCH) {
        largestBefore = largest;
        largest = 0;
        sent = 0;
      }
    }
    return taken;
  }
}
