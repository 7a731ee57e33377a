package dev.verbena.soft.sim;

import dev.verbena.verbs.WcStatus;

/** A mistake in a request, and how the request must fail. */
enum Flaw {
  UNKNOWN_RKEY(WcStatus.REM_ACCESS_ERR) {
    @Override
    Op make(Lane lane, long wrId, Dice dice) {
      Remote remote = lane.target().at(0);
      return write(lane, wrId, remote.withRkey(remote.rkey() ^ 1 << dice.below(16)), dice);
    }
  },
  OUT_OF_BOUNDS(WcStatus.REM_ACCESS_ERR) {
    @Override
    Op make(Lane lane, long wrId, Dice dice) {
      int length = someLength(dice);
      Payload payload = Payload.gather(lane.from(), length, dice);
      Remote remote = lane.target().at(Target.BYTES - length + 1);
      return new WriteOp(wrId, dice.isEven(), remote, payload);
    }
  },
  READ_ONLY_TARGET(WcStatus.REM_ACCESS_ERR) {
    @Override
    Op make(Lane lane, long wrId, Dice dice) {
      return write(lane, wrId, lane.to().constantAt(0), dice);
    }
  },
  MISALIGNED_ATOMIC(WcStatus.REM_INV_REQ_ERR) {
    @Override
    Op make(Lane lane, long wrId, Dice dice) {
      Remote remote = lane.target().at(Long.BYTES * dice.below(4) + 4);
      return new AtomicOp(wrId, false, remote, lane.landing(wrId, Long.BYTES), 1, 0);
    }
  },
  UNKNOWN_LKEY(WcStatus.LOC_PROT_ERR) {
    @Override
    Op make(Lane lane, long wrId, Dice dice) {
      Payload payload = Payload.gather(lane.from(), someLength(dice), dice).withUnknownLkeys();
      return new WriteOp(wrId, dice.isEven(), lane.target().at(0), payload);
    }
  },
  BEHIND_WINDOW(WcStatus.REM_ACCESS_ERR) {
    @Override
    boolean isPossible(Lane lane) {
      return lane.target().window().isBound();
    }

    @Override
    Op make(Lane lane, long wrId, Dice dice) {
      return write(lane, wrId, lane.target().window().behind(lane.target()), dice);
    }
  },
  STALE_WINDOW(WcStatus.REM_ACCESS_ERR) {
    @Override
    boolean isPossible(Lane lane) {
      return lane.target().window().hasStaleKey();
    }

    @Override
    Op make(Lane lane, long wrId, Dice dice) {
      return write(lane, wrId, lane.target().window().staleAt(lane.target(), 256), dice);
    }
  },
  WINDOW_OF_OTHERS(WcStatus.REM_ACCESS_ERR) {
    @Override
    boolean isPossible(Lane lane) {
      return lane.to().otherWithWindow(lane.target()).isPresent();
    }

    @Override
    Op make(Lane lane, long wrId, Dice dice) {
      Target other = lane.to().otherWithWindow(lane.target()).orElseThrow();
      return write(lane, wrId, other.window().at(other, 256), dice);
    }
  },
  SEND_TOO_LONG(WcStatus.REM_INV_REQ_ERR) {
    @Override
    Op make(Lane lane, long wrId, Dice dice) {
      return new SendOp(wrId, false, Payload.gather(lane.from(), Place.BYTES + 1, dice));
    }
  };

  private final WcStatus outcome;

  Flaw(WcStatus outcome) {
    this.outcome = outcome;
  }

  /** One of these, but often a window's last key, as there seldom is one. */
  static Flaw draw(Lane lane, Dice dice, Flaw... choices) {
    return STALE_WINDOW.isPossible(lane) && dice.isEven() ? STALE_WINDOW : dice.among(choices);
  }

  /** Whether such a request can be created now. */
  boolean isPossible(Lane lane) {
    return true;
  }

  /** Creates a request with this flaw. */
  abstract Op make(Lane lane, long wrId, Dice dice);

  /** Its status, where the sender learns of the peer's refusal. */
  WcStatus outcome() {
    return outcome;
  }

  private static Op write(Lane lane, long wrId, Remote remote, Dice dice) {
    Payload payload = Payload.gather(lane.from(), someLength(dice), dice);
    return new WriteOp(wrId, dice.isEven(), remote, payload);
  }

  private static int someLength(Dice dice) {
    return 1 + dice.below(2 * dice.mtu());
  }
}
