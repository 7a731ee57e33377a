package dev.verbena.soft.transport.packets;

import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.Path;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import java.lang.foreign.MemorySegment;

/** Sends each chunk as one packet. */
public final class PacketPath implements Path {
  private final PacketOut out;
  private final QpParameters parameters;
  private final PacketEncoder encoder;

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
    return window();
  }

  @Override
  public int window() {
    return out.window(parameters.mtu());
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
    return out.commit(length);
  }
}
