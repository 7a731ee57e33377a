package dev.verbena.soft.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Makes up send requests for a lane and posts them, through either posting API. */
final class Author {
  private static final int INLINE = 64;
  private static final WrOpcode[] OPCODES = {
    WrOpcode.SEND,
    WrOpcode.SEND_WITH_IMM,
    WrOpcode.RDMA_WRITE,
    WrOpcode.RDMA_WRITE,
    WrOpcode.RDMA_WRITE_WITH_IMM,
    WrOpcode.RDMA_READ,
    WrOpcode.ATOMIC_CMP_AND_SWP,
    WrOpcode.ATOMIC_FETCH_AND_ADD
  };

  /** A request that must fail, and how. */
  enum Flaw {
    UNKNOWN_RKEY(WcStatus.REM_ACCESS_ERR),
    OUT_OF_BOUNDS(WcStatus.REM_ACCESS_ERR),
    READ_ONLY_TARGET(WcStatus.REM_ACCESS_ERR),
    MISALIGNED_ATOMIC(WcStatus.REM_INV_REQ_ERR),
    UNKNOWN_LKEY(WcStatus.LOC_PROT_ERR),
    SEND_TOO_LONG(WcStatus.REM_INV_REQ_ERR);

    private final WcStatus outcome;

    Flaw(WcStatus outcome) {
      this.outcome = outcome;
    }
  }

  private final Scenario scenario;
  private final RandomGenerator random;
  private boolean fenceNext;

  Author(Scenario scenario, RandomGenerator random) {
    this.scenario = scenario;
    this.random = random;
  }

  /** Posts up to {@code count} sound requests, fewer if the queue fills up. */
  void post(Lane lane, int count) {
    List<Draft> drafts = new ArrayList<>();
    while (drafts.size() < count && lane.hasRoom(drafts.size() + 1)) {
      Draft draft = sound(lane, drafts.size());
      drafts.add(draft);
    }
    if (drafts.isEmpty()) {
      checkFull(lane);
    } else if (random.nextBoolean()) {
      postList(lane, drafts);
    } else {
      postRegion(lane, drafts);
    }
  }

  /** Posts one request with a flaw. */
  void postFlawed(Lane lane, Flaw flaw) {
    Draft draft = flawed(lane, flaw);
    postList(lane, List.of(draft));
  }

  /** Posts a WRITE to a target that is no longer registered. */
  void postToNothing(Lane lane, int rkey, long addr) {
    Draft draft = new Draft(WrOpcode.RDMA_WRITE, lane.nextWrId());
    gather(lane, draft, 1 + random.nextInt(100), addr);
    draft.rkey = rkey;
    draft.outcome = WcStatus.REM_ACCESS_ERR;
    postList(lane, List.of(draft));
  }

  /** Posts a signaled empty WRITE, behind which nothing is in doubt. */
  void postClosing(Lane lane) {
    Draft draft = new Draft(WrOpcode.RDMA_WRITE, lane.nextWrId());
    draft.flags = SendFlags.SIGNALED;
    postList(lane, List.of(draft));
  }

  private Draft sound(Lane lane, int ahead) {
    Draft draft = new Draft(OPCODES[random.nextInt(OPCODES.length)], lane.nextWrId() + ahead);
    draft.flags = flags(lane, ahead);
    draft.landing = lane.slotOffset(draft.wrId);
    draft.rkey = lane.target().rkey();
    if (fenceNext) {
      draft.flags |= SendFlags.FENCE;
      fenceNext = false;
    }
    switch (draft.opcode) {
      case RDMA_READ -> describeRead(lane, draft);
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> describeAtomic(lane, draft);
      default -> describeData(lane, draft);
    }
    return draft;
  }

  private Draft flawed(Lane lane, Flaw flaw) {
    WrOpcode opcode =
        switch (flaw) {
          case MISALIGNED_ATOMIC -> WrOpcode.ATOMIC_FETCH_AND_ADD;
          case SEND_TOO_LONG -> WrOpcode.SEND;
          default -> random.nextBoolean() ? WrOpcode.RDMA_WRITE : WrOpcode.RDMA_WRITE_WITH_IMM;
        };
    Draft draft = new Draft(opcode, lane.nextWrId());
    draft.flags = random.nextBoolean() ? SendFlags.SIGNALED : 0;
    draft.outcome = flaw.outcome;
    draft.rkey = lane.target().rkey();
    draft.landing = lane.slotOffset(draft.wrId);
    int length = 1 + random.nextInt(2 * scenario.mtu().bytes());
    switch (flaw) {
      case MISALIGNED_ATOMIC -> {
        describeAtomic(lane, draft);
        draft.remoteOffset += 4;
      }
      case SEND_TOO_LONG -> gather(lane, draft, Lane.SLOT + 1);
      default -> gather(lane, draft, length);
    }
    switch (flaw) {
      case UNKNOWN_RKEY -> draft.rkey ^= 1 << random.nextInt(16);
      case OUT_OF_BOUNDS -> draft.remoteOffset = Lane.TARGET - length + 1;
      case READ_ONLY_TARGET -> {
        draft.rkey = lane.to().constant().rkey();
        draft.base = lane.to().constant().addr();
      }
      case UNKNOWN_LKEY ->
          draft.pieces.forEach(piece -> piece.lkey(lane.from().constant().lkey() ^ 0x80));
      default -> {}
    }
    return draft;
  }

  private int flags(Lane lane, int ahead) {
    int flags = random.nextInt(3) != 0 ? SendFlags.SIGNALED : 0;
    if (lane.mustSignal(ahead)) {
      flags |= SendFlags.SIGNALED;
    }
    return random.nextInt(8) == 0 ? flags | SendFlags.FENCE : flags;
  }

  private void describeRead(Lane lane, Draft draft) {
    draft.length = length();
    draft.readsConstant = random.nextInt(4) != 0;
    if (draft.readsConstant) {
      draft.remoteOffset = random.nextInt(Side.CONSTANT - draft.length + 1);
      draft.rkey = lane.to().constant().rkey();
      draft.base = lane.to().constant().addr();
    } else {
      // A READ may be executed again after later requests (S12.6.3): they must not change what it
      // reads.
      draft.remoteOffset = random.nextInt(Lane.TARGET - draft.length + 1);
      draft.base = lane.target().addr();
      fenceNext = true;
    }
    land(lane, draft);
  }

  private void describeAtomic(Lane lane, Draft draft) {
    draft.length = 8;
    draft.remoteOffset = 8 * random.nextInt(4);
    draft.base = lane.target().addr();
    draft.compareAdd = random.nextInt(4);
    draft.swap = random.nextInt(4);
    land(lane, draft);
  }

  private void describeData(Lane lane, Draft draft) {
    int length = length();
    draft.imm = random.nextInt();
    draft.remoteOffset = random.nextInt(Lane.TARGET - length + 1);
    gather(lane, draft, length);
  }

  private void gather(Lane lane, Draft draft, int length) {
    gather(lane, draft, length, lane.target().addr());
  }

  private void gather(Lane lane, Draft draft, int length, long base) {
    draft.length = length;
    draft.base = base;
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    int left = length;
    while (left > 0 || draft.pieces.isEmpty()) {
      int piece = draft.pieces.size() == 3 ? left : random.nextInt(left + 1);
      int offset = random.nextInt(Side.CONSTANT - piece + 1);
      draft.pieces.add(
          new Sge(lane.from().constant().addr() + offset, piece, lane.from().constant().lkey()));
      data.writeBytes(lane.from().constantBytes(offset, piece));
      left -= piece;
    }
    draft.data = data.toByteArray();
    draft.inline = length <= INLINE && draft.outcome == WcStatus.SUCCESS && random.nextBoolean();
  }

  private void land(Lane lane, Draft draft) {
    int cut = draft.length == 8 ? 3 : draft.length / 2;
    long addr = lane.landing().addr() + draft.landing;
    draft.pieces.add(new Sge(addr, cut, lane.landing().lkey()));
    draft.pieces.add(new Sge(addr + cut, draft.length - cut, lane.landing().lkey()));
  }

  private int length() {
    int mtu = scenario.mtu().bytes();
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> random.nextInt(1, 9);
      case 2 -> mtu * random.nextInt(1, 4) + random.nextInt(-1, 2);
      default -> random.nextInt(3 * mtu);
    };
  }

  private void postList(Lane lane, List<Draft> drafts) {
    SendWr next = null;
    for (int i = drafts.size() - 1; i >= 0; i--) {
      next = drafts.get(i).toSendWr().next(next);
    }
    lane.sender().postSend(next);
    drafts.forEach(draft -> lane.notePosted(draft.plan()));
  }

  private void postRegion(Lane lane, List<Draft> drafts) {
    QueuePairEx qp = lane.sender();
    if (random.nextInt(8) == 0) {
      qp.wrStart();
      drafts.forEach(draft -> draft.build(qp));
      qp.wrAbort();
    }
    qp.wrStart();
    drafts.forEach(draft -> draft.build(qp));
    qp.wrComplete();
    drafts.forEach(draft -> lane.notePosted(draft.plan()));
  }

  private void checkFull(Lane lane) {
    try {
      lane.sender().postSend(sound(lane, 0).toSendWr());
      fail("posted to a full queue");
    } catch (WorkRequestException e) {
      assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
    }
    // What could not be posted must not have any effect on what is posted next.
    fenceNext = true;
  }
}
