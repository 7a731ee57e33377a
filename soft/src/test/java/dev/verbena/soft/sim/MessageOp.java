package dev.verbena.soft.sim;

import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A request whose message may be reported in a receive of the peer. */
abstract class MessageOp extends Op {
  private final Payload payload;

  MessageOp(WrOpcode opcode, WcOpcode completion, long wrId, Payload payload) {
    super(opcode, completion, wrId);
    this.payload = payload;
  }

  final Payload payload() {
    return payload;
  }

  @Override
  final int length() {
    return payload.length();
  }

  /** Immediate data, different for each message. */
  final int immediate() {
    return (int) wrId() * 0x9e37_79b1;
  }

  /** Opcode of the peer's completion. */
  abstract WcOpcode receivedOpcode();

  /** The flag of the peer's completion that says what the message carries, or 0. */
  abstract int receivedFlag();

  /** The value that comes with that flag. */
  abstract int receivedValue();

  /** Bytes in front of the data in the receive (UD: 40). */
  int headroom() {
    return 0;
  }

  /** The peer's receive has completed. */
  void received() {}

  /** How a completed receive differs from this message; null if it does not. */
  final @Nullable String mismatch(Place place, WorkCompletion wc) {
    if (wc.opcode() != receivedOpcode()) {
      return "opcode " + wc.opcode();
    }
    if (wc.byteLen() != headroom() + length()) {
      return "byte_len " + wc.byteLen();
    }
    int flags = wc.wcFlags() & (WcFlags.WITH_IMM | WcFlags.WITH_INV);
    if (flags != receivedFlag()) {
      return "flags " + flags;
    }
    if (flags == WcFlags.WITH_IMM && wc.immData() != receivedValue()) {
      return "imm_data " + wc.immData();
    }
    if (flags == WcFlags.WITH_INV && wc.invalidatedRkey() != receivedValue()) {
      return "invalidated_rkey " + wc.invalidatedRkey();
    }
    if (!carriesData()) {
      return null;
    }
    MemorySegment found = place.memory().asSlice(headroom(), length());
    long at = MemorySegment.ofArray(payload.data()).mismatch(found);
    return at < 0 ? null : "byte " + at + " of the receive";
  }

  /** Whether the rest of a receive is unchanged, unless an earlier message used it. */
  final boolean isRestUntouched(Place place) {
    int used = carriesData() ? headroom() + length() : 0;
    return place.mayHaveBeenUsed() || Place.isUntouched(place.memory().asSlice(used));
  }

  private boolean carriesData() {
    return receivedOpcode() == WcOpcode.RECV;
  }
}
