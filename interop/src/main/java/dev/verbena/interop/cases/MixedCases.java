package dev.verbena.interop.cases;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.Completion;
import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.interop.sides.Side;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.WcStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Many operations of all kinds in flight at once, in one direction and in both. */
final class MixedCases {
  private static final int ROUNDS = 3;

  static List<Case> list() {
    return List.of(
        new Case("mixed/one-way", PairSettings.USUAL, pair -> run(pair, false)),
        new Case(
            "mixed/both-ways", PairSettings.USUAL.withMtu(Mtu.MTU_256), pair -> run(pair, true)));
  }

  private static void run(Pair pair, boolean bothWays) throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    MixedStream there = new MixedStream(initiator, target);
    MixedStream back = new MixedStream(target, initiator);
    for (int round = 0; round < ROUNDS; round++) {
      there.prepare(round);
      if (bothWays) {
        back.prepare(round);
      }
      there.post();
      if (bothWays) {
        back.post();
      }
      int sent = MixedStream.sends();
      int received = MixedStream.receives();
      Completions of = drain(pair, initiator, bothWays ? sent + received : sent);
      Completions ofTarget = drain(pair, target, bothWays ? sent + received : received);
      there.checkSends(of.sends);
      there.checkReceives(ofTarget.receives);
      there.checkData(round);
      if (bothWays) {
        back.checkSends(ofTarget.sends);
        back.checkReceives(of.receives);
        back.checkData(round);
      }
    }
  }

  /** Completions by queue, in the order in which they came. */
  private record Completions(List<Completion> sends, List<Completion> receives) {}

  private static Completions drain(Pair pair, Side side, int count) throws IOException {
    Completions all = new Completions(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < count; i++) {
      Completion wc = pair.await(side);
      if (wc.status() != WcStatus.SUCCESS) {
        throw new CaseFailure(side.name() + ": " + wc + " after " + i + " of " + count);
      }
      (wc.opcode().isReceive() ? all.receives : all.sends).add(wc);
    }
    pair.expectNone(side);
    return all;
  }

  private MixedCases() {}
}
