package dev.verbena.interop.cases;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.Pattern;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.Work;
import dev.verbena.verbs.SendWrField;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.util.Arrays;

/**
 * One message that moves data. Checks all data and completions, and that the bytes around the
 * destination do not change.
 */
final class Transfer {
  private static final int MARGIN = 64;
  private static final int SLACK = 16;
  private static final long INITIATOR_OFF = 4096;
  private static final long TARGET_OFF = 8192;
  private static final int SOURCE_SEED = 17;
  private static final int OTHER_SEED = 140;
  private static final int SIZE_OF_SEVERAL_PARTS = 1000;

  private final Pair pair;
  private final WrOpcode opcode;
  private final int size;
  private final long wrId;
  private final int imm;

  private Transfer(Pair pair, WrOpcode opcode, int size, long wrId) {
    this.pair = pair;
    this.opcode = opcode;
    this.size = size;
    this.wrId = wrId;
    imm = 0x89abcdef + size;
  }

  /** Moves {@code size} bytes; the pair has no other work. */
  static void run(Pair pair, WrOpcode opcode, int size, long wrId) throws IOException {
    new Transfer(pair, opcode, size, wrId).run();
  }

  private void run() throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    // Odd starts, so that nothing depends on alignment.
    long initiatorOff = INITIATOR_OFF + size % 7;
    long targetOff = TARGET_OFF + size % 5;
    boolean read = opcode == WrOpcode.RDMA_READ;
    Side source = read ? target : initiator;
    Side sink = read ? initiator : target;
    long sourceOff = read ? targetOff : initiatorOff;
    long sinkOff = read ? initiatorOff : targetOff;

    source.fill(sourceOff, size, SOURCE_SEED);
    sink.fill(sinkOff - MARGIN, size + 2 * MARGIN, OTHER_SEED);
    postReceive(target, targetOff);
    initiator.post(
        Work.of(opcode, wrId, initiatorOff, size)
            .inParts(size > SIZE_OF_SEVERAL_PARTS ? 3 : 1)
            .withImm(imm)
            .at(target.addr() + targetOff, target.rkey()));
    pair.await(initiator, wrId, opcode.completion());
    awaitReceive(target);
    pair.expectNone(initiator);
    pair.expectNone(target);

    sink.check(sinkOff, size, SOURCE_SEED);
    source.check(sourceOff, size, SOURCE_SEED);
    checkMargins(sink, sinkOff);
  }

  private void postReceive(Side target, long off) throws IOException {
    if (isSend()) {
      target.postRecv(-wrId, off, size + SLACK, size > SIZE_OF_SEVERAL_PARTS ? 2 : 1);
    } else if (hasImm()) {
      target.postRecv(-wrId, off, 0, 1);
    }
  }

  private boolean isSend() {
    return opcode.completion() == WcOpcode.SEND;
  }

  private boolean hasImm() {
    return opcode.uses(SendWrField.IMM_DATA);
  }

  private void awaitReceive(Side target) throws IOException {
    if (hasImm()) {
      WcOpcode received = isSend() ? WcOpcode.RECV : WcOpcode.RECV_RDMA_WITH_IMM;
      pair.awaitReceive(target, -wrId, received, size, imm);
    } else if (isSend()
        && pair.awaitReceive(target, -wrId, WcOpcode.RECV, size).imm().isPresent()) {
      throw new CaseFailure(target.name() + ": immediate data with a plain SEND");
    }
  }

  private void checkMargins(Side sink, long off) throws IOException {
    byte[] before = Pattern.bytes(OTHER_SEED, size + 2 * MARGIN);
    checkUntouched(sink, off - MARGIN, Arrays.copyOf(before, MARGIN));
    checkUntouched(sink, off + size, Arrays.copyOfRange(before, size + MARGIN, before.length));
  }

  private void checkUntouched(Side sink, long off, byte[] wanted) throws IOException {
    if (!Arrays.equals(sink.peek(off, wanted.length), wanted)) {
      throw new CaseFailure(
          sink.name() + ": " + opcode + " of " + size + " bytes changed bytes beside it");
    }
  }
}
