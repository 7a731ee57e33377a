package dev.verbena.soft.transport.packets;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.requester.Completer;
import dev.verbena.wire.Address;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.AtomicEth;
import dev.verbena.wire.Deth;
import dev.verbena.wire.Feth;
import dev.verbena.wire.Ieth;
import dev.verbena.wire.ImmDt;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.Reth;
import dev.verbena.wire.RocePacket;
import dev.verbena.wire.Xrceth;
import java.lang.foreign.MemorySegment;

/** Turns parsed packets into chunks and responses for the machines. */
public final class PacketDecoder {
  /** Fills {@code into} from a request packet; its payload refers to the packet's memory. */
  public static void request(RocePacket packet, Address source, Chunk into) {
    Opcode.Row row = packet.row;
    into.begin(row.operation, row.startsMessage, row.endsMessage, packet.psn, packet.psns);
    into.framed();
    into.bth(source, packet.destQpn, packet.pkey, packet.solicited, packet.ackRequest);
    int headers = row.headers;
    if ((headers & Deth.BIT) != 0) {
      into.datagram.sender(packet.dethSrcQpn(), packet.dethQkey());
    }
    if ((headers & Xrceth.BIT) != 0) {
      into.srqNum(packet.xrcSrqn());
    }
    if ((headers & Reth.BIT) != 0) {
      MemorySegment memory = packet.segment;
      long reth = packet.offset + row.offset(Reth.BIT);
      into.remote(Reth.va(memory, reth), Reth.rkey(memory, reth), Reth.dmaLength(memory, reth));
    }
    if ((headers & Feth.BIT) != 0) {
      into.flush(packet.fethType(), packet.fethLevel());
    }
    if ((headers & AtomicEth.BIT) != 0) {
      into.remote(packet.atomicVa(), packet.atomicRkey(), Long.BYTES);
      into.operands(packet.atomicCompare(), packet.atomicSwapOrAdd());
    }
    if ((headers & ImmDt.BIT) != 0) {
      into.immediate(packet.immData());
    }
    if ((headers & Ieth.BIT) != 0) {
      into.invalidate(packet.invalidateRkey());
    }
    SpanList payload = into.payload;
    payload.clear();
    int length = packet.payloadLength;
    if (length > 0) {
      payload.add(packet.segment, packet.payloadOffset, length);
    }
  }

  /**
   * Gives a response packet to the completer.
   *
   * @param scratch used for the payload
   */
  public static void response(RocePacket packet, SpanList scratch, Completer completer) {
    Opcode.Row row = packet.row;
    Operation operation = row.operation;
    if (operation != Operation.ACKNOWLEDGE
        && row.has(Aeth.BIT)
        && !AethSyndrome.isAck(packet.aethSyndrome())) {
      completer.malformedResponse(packet.psn);
      return;
    }
    if (operation == Operation.ACKNOWLEDGE) {
      completer.acknowledge(packet.psn, packet.aeth());
    } else if (operation == Operation.ATOMIC_ACKNOWLEDGE) {
      completer.atomicResponse(packet.psn, packet.atomicOriginal());
    } else if (operation == Operation.READ_RESPONSE) {
      scratch.clear();
      if (packet.payloadLength > 0) {
        scratch.add(packet.segment, packet.payloadOffset, packet.payloadLength);
      }
      completer.readResponse(packet.psn, packet.psns, scratch, row.endsMessage);
    } else {
      throw new IllegalArgumentException(row.name + " is no response");
    }
  }

  private PacketDecoder() {}
}
