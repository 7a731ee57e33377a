package dev.verbena.soft.transport.packets;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.requester.Completer;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Operation;
import dev.verbena.wire.RocePacket;

/** Turns parsed packets into what the machines take. */
public final class PacketDecoder {
  /** Fills {@code into} from a request packet; its payload refers to the packet's memory. */
  public static void request(RocePacket packet, long sourceHi, long sourceLo, Chunk into) {
    int opcode = packet.opcode();
    into.begin(
        Opcode.operation(opcode),
        Opcode.startsMessage(opcode),
        Opcode.endsMessage(opcode),
        packet.psn(),
        1);
    into.framed();
    into.address(sourceHi, sourceLo, packet.destQpn(), packet.pkey());
    into.flags(packet.solicited(), packet.ackRequest());
    if (Opcode.hasDeth(opcode)) {
      into.datagram().sender(packet.dethSrcQpn(), packet.dethQkey());
    }
    if (Opcode.hasXrceth(opcode)) {
      into.srqNum(packet.xrcSrqn());
    }
    if (Opcode.hasReth(opcode)) {
      into.remote(packet.rethVa(), packet.rethRkey(), packet.rethLength());
    }
    if (Opcode.hasFeth(opcode)) {
      into.flush(packet.fethType(), packet.fethLevel());
    }
    if (Opcode.hasAtomicEth(opcode)) {
      into.remote(packet.atomicVa(), packet.atomicRkey(), Long.BYTES);
      into.operands(packet.atomicCompare(), packet.atomicSwapOrAdd());
    }
    if (Opcode.hasImmediate(opcode)) {
      into.immediate(packet.immData());
    }
    if (Opcode.hasIeth(opcode)) {
      into.invalidate(packet.invalidateRkey());
    }
    if (packet.payloadLength() > 0) {
      into.payload().add(packet.segment(), packet.payloadOffset(), packet.payloadLength());
    }
  }

  /**
   * Gives a response packet to the completer.
   *
   * @param scratch used for the payload, and left empty
   */
  public static void response(RocePacket packet, SpanList scratch, Completer completer) {
    int opcode = packet.opcode();
    Operation operation = Opcode.operation(opcode);
    if (operation != Operation.ACKNOWLEDGE
        && Opcode.hasAeth(opcode)
        && !AethSyndrome.isAck(packet.aethSyndrome())) {
      completer.malformedResponse(packet.psn());
      return;
    }
    if (operation == Operation.ACKNOWLEDGE) {
      completer.acknowledge(packet.psn(), packet.aethSyndrome());
    } else if (operation == Operation.ATOMIC_ACKNOWLEDGE) {
      completer.atomicResponse(packet.psn(), packet.atomicOriginal());
    } else if (operation == Operation.READ_RESPONSE) {
      scratch.clear();
      if (packet.payloadLength() > 0) {
        scratch.add(packet.segment(), packet.payloadOffset(), packet.payloadLength());
      }
      completer.readResponse(packet.psn(), 1, scratch, Opcode.endsMessage(opcode));
      scratch.clear();
    } else {
      throw new IllegalArgumentException(Opcode.name(opcode) + " is no response");
    }
  }

  private PacketDecoder() {}
}
