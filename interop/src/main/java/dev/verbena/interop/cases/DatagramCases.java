package dev.verbena.interop.cases;

import dev.verbena.interop.sides.CaseFailure;
import dev.verbena.interop.sides.Completion;
import dev.verbena.interop.sides.Datagrams;
import dev.verbena.interop.sides.Pair;
import dev.verbena.interop.sides.PairSettings;
import dev.verbena.interop.sides.PeerAddress;
import dev.verbena.interop.sides.Side;
import dev.verbena.interop.sides.Work;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** UD: data, the GRH area, replies to the sender in a completion, multicast. */
final class DatagramCases {
  private static final int[] SIZES = {0, 1, 1023, 1024, 4095, 4096};
  private static final int SIZE = 1000;
  private static final int ROOM = 4096 + Datagrams.GRH_AREA;
  private static final long SOURCE_OFF = 64;
  private static final long SINK_OFF = 16384;
  private static final int SEED = 77;
  private static final int OTHER_SEED = 3;
  private static final int MANY = 32;
  private static final int IMM = 0x01020304;
  private static final Gid GROUP4 = Gid.parse("239.77.0.1");
  private static final Gid GROUP6 = Gid.parse("ff0e::4d:1");

  static List<Case> list() {
    PairSettings settings = PairSettings.USUAL.ofType(QpType.UD);
    List<Case> cases = new ArrayList<>();
    cases.add(new Case("ud/send", settings, DatagramCases::allSizes));
    cases.add(new Case("ud/send-with-imm", settings, DatagramCases::withImmediate));
    cases.add(new Case("ud/in-order", settings, DatagramCases::inOrder));
    cases.add(new Case("ud/reply-by-completion", settings, DatagramCases::reply));
    cases.add(new Case("mcast/target-is-member", settings, DatagramCases::multicast));
    cases.add(new Case("mcast/both-are-members", settings, DatagramCases::multicastToBoth));
    cases.add(new Case("mcast/target-has-left", settings, DatagramCases::multicastAfterLeaving));
    // A lost datagram is not retransmitted.
    return cases.stream().map(Case::withoutLoss).toList();
  }

  private static Gid group(Pair pair) throws IOException {
    return pair.target().address().gid().isIpv4Mapped() ? GROUP4 : GROUP6;
  }

  private static void postRecv(Side side, long wrId) throws IOException {
    side.fill(SINK_OFF, ROOM, OTHER_SEED);
    side.postRecv(wrId, SINK_OFF, ROOM, 1);
  }

  private static void send(Pair pair, Side from, long wrId, int size) throws IOException {
    from.fill(SOURCE_OFF, size, SEED);
    from.post(Work.of(WrOpcode.SEND, wrId, SOURCE_OFF, size));
    pair.await(from, wrId, WcOpcode.SEND);
  }

  /**
   * Checks that the side's next completion is a datagram from the sender to {@code destination}.
   */
  private static void receive(
      Pair pair, Side side, long wrId, int size, PeerAddress sender, Gid destination)
      throws IOException {
    check(
        side,
        pair.awaitReceive(side, wrId, WcOpcode.RECV, (long) size + Datagrams.GRH_AREA),
        sender,
        destination);
    side.check(SINK_OFF + Datagrams.GRH_AREA, size, SEED);
  }

  private static void check(Side side, Completion wc, PeerAddress sender, Gid destination)
      throws IOException {
    if (!wc.hasGrh() || wc.srcQp() != sender.qpn()) {
      throw new CaseFailure(side.name() + ": expected a GRH and the sender's number, got " + wc);
    }
    long payload = wc.byteLen() - Datagrams.GRH_AREA + (wc.imm().isPresent() ? Integer.BYTES : 0);
    GrhArea.check(side, SINK_OFF, payload, sender.gid(), destination);
  }

  private static void allSizes(Pair pair) throws IOException {
    Side target = pair.target();
    long wrId = 0;
    for (int size : SIZES) {
      postRecv(target, ++wrId);
      send(pair, pair.initiator(), wrId, size);
      receive(pair, target, wrId, size, pair.initiator().address(), target.address().gid());
      pair.expectNone(target);
    }
  }

  private static void withImmediate(Pair pair) throws IOException {
    Side target = pair.target();
    postRecv(target, 2);
    pair.initiator().fill(SOURCE_OFF, SIZE, SEED);
    pair.initiator().post(Work.of(WrOpcode.SEND_WITH_IMM, 1, SOURCE_OFF, SIZE).withImm(IMM));
    pair.await(pair.initiator(), 1, WcOpcode.SEND);
    Completion wc = pair.awaitReceive(target, 2, WcOpcode.RECV, SIZE + Datagrams.GRH_AREA, IMM);
    check(target, wc, pair.initiator().address(), target.address().gid());
    target.check(SINK_OFF + Datagrams.GRH_AREA, SIZE, SEED);
  }

  private static void inOrder(Pair pair) throws IOException {
    for (int i = 0; i < MANY; i++) {
      pair.target().postRecv(i, SINK_OFF + (long) i * ROOM, ROOM, 1);
    }
    for (int i = 0; i < MANY; i++) {
      send(pair, pair.initiator(), i, SIZE + i);
    }
    for (int i = 0; i < MANY; i++) {
      pair.awaitReceive(pair.target(), i, WcOpcode.RECV, (long) SIZE + i + Datagrams.GRH_AREA);
    }
  }

  /** The target knows the initiator's address only from its completion. */
  private static void reply(Pair pair) throws IOException {
    Side initiator = pair.initiator();
    Side target = pair.target();
    target.datagrams().aim(1, target.address().gid());
    postRecv(target, 1);
    postRecv(initiator, 2);
    send(pair, initiator, 3, SIZE);
    receive(pair, target, 1, SIZE, initiator.address(), target.address().gid());
    target.datagrams().aimBack(SINK_OFF);
    send(pair, target, 4, SIZE);
    receive(pair, initiator, 2, SIZE, target.address(), initiator.address().gid());
  }

  private static void multicast(Pair pair) throws IOException {
    Gid group = group(pair);
    Side target = pair.target();
    target.datagrams().join(group);
    pair.initiator().datagrams().aim(AddressHandle.MULTICAST_QPN, group);
    for (int i = 0; i < 3; i++) {
      postRecv(target, i);
      send(pair, pair.initiator(), i, SIZE);
      receive(pair, target, i, SIZE, pair.initiator().address(), group);
    }
    pair.expectNone(pair.initiator());
    target.datagrams().leave(group);
  }

  private static void multicastToBoth(Pair pair) throws IOException {
    Gid group = group(pair);
    Side initiator = pair.initiator();
    Side target = pair.target();
    initiator.datagrams().join(group);
    target.datagrams().join(group);
    initiator.datagrams().aim(AddressHandle.MULTICAST_QPN, group);
    target.datagrams().aim(AddressHandle.MULTICAST_QPN, group);
    postRecv(target, 1);
    send(pair, initiator, 2, SIZE);
    receive(pair, target, 1, SIZE, initiator.address(), group);
    postRecv(initiator, 3);
    send(pair, target, 4, SIZE);
    receive(pair, initiator, 3, SIZE, target.address(), group);
  }

  /** A side that has left the group receives only datagrams sent to itself. */
  private static void multicastAfterLeaving(Pair pair) throws IOException {
    Gid group = group(pair);
    Side target = pair.target();
    target.datagrams().join(group);
    target.datagrams().leave(group);
    postRecv(target, 1);
    pair.initiator().datagrams().aim(AddressHandle.MULTICAST_QPN, group);
    send(pair, pair.initiator(), 2, SIZE + 1);
    pair.initiator().datagrams().aim(target.address().qpn(), target.address().gid());
    send(pair, pair.initiator(), 3, SIZE);
    receive(pair, target, 1, SIZE, pair.initiator().address(), target.address().gid());
  }

  private DatagramCases() {}
}
