package dev.verbena.soft.transport.packets;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.Service;
import dev.verbena.wire.Answer;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Reth;
import dev.verbena.wire.Xrceth;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Writes packets: headers in the order of S12.3, payload, padding. */
final class PacketEncoder {
  private final Service service;

  PacketEncoder(Service service) {
    this.service = service;
  }

  /**
   * Writes a request.
   *
   * @return its length without ICRC, or -1 if the payload's memory is gone
   */
  int request(MemorySegment packet, Chunk chunk) {
    int opcode = service.opcodeBase + chunk.opcode();
    SpanList data = chunk.payload;
    int pad = Bth.padFor(data.total);
    Bth.write(
        packet,
        0,
        opcode,
        (chunk.solicited ? Bth.SOLICITED : 0)
            | Bth.MIG_REQ
            | (chunk.ackRequest ? Bth.ACK_REQUEST : 0),
        pad,
        chunk.pkey,
        chunk.destQpn,
        chunk.psn);
    if (chunk.psnCount > 1 && chunk.operation.answer == Answer.ACKNOWLEDGE) {
      Bth.further(packet, 0, chunk.psnCount - 1);
    }
    int headers = Opcode.row(opcode).headers;
    int at = Bth.LENGTH;
    if ((headers & Xrceth.BIT) != 0) {
      Xrceth.write(packet, at, chunk.srqNum);
      at += Xrceth.LENGTH;
    }
    if ((headers & Feth.BIT) != 0) {
      Feth.write(packet, at, chunk.flushLevel, chunk.flushType);
      at += Feth.LENGTH;
    }
    if ((headers & Deth.BIT) != 0) {
      Deth.write(packet, at, chunk.datagram.qkey(), chunk.datagram.sourceQpn());
      at += Deth.LENGTH;
    }
    if ((headers & Reth.BIT) != 0) {
      Reth.write(packet, at, chunk.va, chunk.rkey, chunk.dmaLength);
      at += Reth.LENGTH;
    }
    if ((headers & AtomicEth.BIT) != 0) {
      AtomicEth.write(packet, at, chunk.va, chunk.rkey, chunk.swapOrAdd, chunk.compare);
      at += AtomicEth.LENGTH;
    }
    if ((headers & ImmDt.BIT) != 0) {
      ImmDt.write(packet, at, chunk.immOrKey);
      at += ImmDt.LENGTH;
    }
    if ((headers & Ieth.BIT) != 0) {
      Ieth.write(packet, at, chunk.immOrKey);
      at += Ieth.LENGTH;
    }
    return payload(packet, at, data, pad);
  }

  /** The most PSNs of a packet with up to so many bytes of payload; at least 1. */
  static int mostPsns(int payload, int mtu) {
    return Math.clamp(payload / mtu, 1, 1 + Bth.MOST_FURTHER);
  }

  /**
   * Writes payload and the given bytes of padding after the headers.
   *
   * @return the packet's length without ICRC, or -1 if the payload's memory is gone
   */
  int payload(MemorySegment packet, int at, SpanList data, int pad) {
    if (data.copyTo(packet, at, false) != AccessFault.NONE) {
      return -1;
    }
    int end = at + (int) data.total;
    for (int i = 0; i < pad; i++) {
      packet.set(ValueLayout.JAVA_BYTE, end, (byte) 0);
      end++;
    }
    return end;
  }
}
