package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Binding;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.Window;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.Opcode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Binding and invalidating in the order of the send queue, and at the peer's request. */
class WindowRequestTest {
  private final Rig rig = Rig.packets();
  private final Block from = rig.a.memory(4096).scribble(1);
  private final Block to = rig.b.memory(4096);
  private final Window atA = rig.a.window(true);
  private final Window atB = rig.b.window(true);

  private boolean isBound(Window window, int tag) {
    return rig.a.keys.byRemoteKey(window.key(tag)) != null;
  }

  /** Binds B's window to all of B's block, and returns the key. */
  private int boundAtB() {
    Binding binding = new Binding();
    binding.set(atB, 1, to.lkey(), to.addr(), to.memory().byteSize(), Endpoint.RIGHTS & ~16);
    assertThat(rig.b.windows.bind(binding, rig.b.domain, rig.b.owner)).isEqualTo(AccessFault.NONE);
    return atB.key(1);
  }

  private Block throughWindow(int key) {
    Region region = to.region();
    return new Block(
        new Region(0, key, region.domain(), region.access(), region.base(), region.memory()));
  }

  @Test
  @Proves("S5.3.11")
  void aBindIsExecutedInTurnAndCompletesInTurn() {
    rig.a.postWrite(1, from, 8, to);
    rig.a.postBind(2, atA, 5, from);
    rig.a.postWrite(3, from, 8, to);
    rig.pump();
    assertThat(isBound(atA, 5)).as("bound before the WRITE is acknowledged").isTrue();
    assertThat(rig.a.out.log).hasSize(2);
    assertThat(rig.a.sendResults()).isEmpty();
    rig.deliverAll();
    List<WorkCompletion> all = rig.a.pollSends();
    assertThat(all).extracting(WorkCompletion::wrId).containsExactly(1L, 2L, 3L);
    assertThat(all.get(1).opcode()).isEqualTo(WcOpcode.BIND_MW);
  }

  @Test
  @Proves("S5.3.11")
  void whatIsPostedBehindABindLeavesAfterIt() {
    rig.a.parameters.maxRdAtomic(1);
    rig.a.postRead(1, from, 8, to);
    rig.a.post(
        2,
        WrOpcode.BIND_MW,
        SendFlags.SIGNALED | SendFlags.FENCE,
        w -> w.binding().set(atA, 5, from.lkey(), from.addr(), 8, 0));
    rig.a.postWrite(3, from, 8, to);
    rig.pump();
    assertThat(isBound(atA, 5)).as("fenced behind the READ").isFalse();
    assertThat(rig.a.out.log).as("nothing overtakes the bind").hasSize(1);
    rig.deliverAll();
    assertThat(isBound(atA, 5)).isTrue();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3");
  }

  @Test
  void whatIsSentAgainRepeatsNoLocalRequest() {
    rig.a.postWrite(1, from, 1000, to);
    rig.a.postBind(2, atA, 5, from);
    rig.a.postInvalidate(3, atA.key(5));
    rig.a.postBind(4, atA, 6, from);
    rig.a.postWrite(5, from, 1000, to);
    rig.a.out.loseOnce(packet -> packet.psn() == Rig.PSN_A + 1);
    rig.b.out.loseOnce(packet -> packet.is(Opcode.RC_ACKNOWLEDGE));
    rig.settle();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3", "4", "5");
    assertThat(isBound(atA, 6)).isTrue();
    assertThat(rig.a.out.log.size()).as("packets were repeated").isGreaterThan(8);
  }

  @Test
  void onlyLocalRequestsNeedNoPacket() {
    rig.a.postBind(1, atA, 5, from);
    rig.a.post(2, WrOpcode.LOCAL_INV, 0, w -> w.immOrKey(atA.key(5)));
    rig.a.postBind(3, atA, 6, from);
    rig.pump();
    assertThat(rig.a.sendResults()).containsExactly("1", "3");
    assertThat(rig.a.out.log).isEmpty();
    assertThat(rig.a.requester.deadline()).isEqualTo(Clock.NEVER);
    rig.a.postWrite(4, from, 8, to);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("4");
    assertThat(rig.a.out.log.getFirst().psn()).isEqualTo(Rig.PSN_A);
  }

  @Test
  @Proves({"S1.6/04", "S1.6/05", "S1.6.1"})
  void aFailureCompletesInTurnAndFlushesTheRest() {
    for (boolean bind : new boolean[] {true, false}) {
      Rig own = Rig.packets();
      Block local = own.a.memory(64);
      own.a.postWrite(1, local, 8, own.b.memory(8));
      if (bind) {
        own.a.postBind(2, own.a.window(true), 1, own.a.memory(0));
      } else {
        own.a.postInvalidate(2, local.rkey());
      }
      own.a.postWrite(3, local, 8, own.b.memory(8));
      own.pump();
      assertThat(own.a.sendResults()).isEmpty();
      own.deliverAll();
      assertThat(own.a.sendResults())
          .containsExactly("1", bind ? "2 MW_BIND_ERR" : "2 LOC_QP_OP_ERR", "3 WR_FLUSH_ERR");
      assertThat(own.a.status.state).isEqualTo(QpState.ERR);
    }
  }

  @Test
  @Proves({"S1.7.5", "WR-106", "S5.3.9", "PS-010"})
  void aSendInvalidatesBehindItsDataAndBeforeItsCompletion() {
    int key = boundAtB();
    Block inbox = rig.b.memory(1024);
    rig.b.postRecv(7, inbox);
    rig.a.postSendInv(1, from, 600, key);
    rig.pump();
    List<Packet> packets = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    assertThat(packets.getLast().view().opcode()).isEqualTo(Opcode.RC_SEND_LAST_INV);
    assertThat(packets.getLast().view().invalidateRkey()).isEqualTo(key);
    packets.subList(0, 2).forEach(rig::inject);
    assertThat(rig.b.keys.byRemoteKey(key)).as("not before the last packet").isNotNull();
    rig.inject(packets.getLast());
    assertThat(rig.b.keys.byRemoteKey(key)).isNull();
    WorkCompletion received = rig.b.pollReceives().getFirst();
    assertThat(received.opcode()).isEqualTo(WcOpcode.RECV);
    assertThat(received.wcFlags() & WcFlags.WITH_INV).isNotZero();
    assertThat(received.invalidatedRkey()).isEqualTo(key);
    assertThat(received.byteLen()).isEqualTo(600);
    assertThat(inbox.bytes(0, 600)).isEqualTo(from.bytes(0, 600));

    int again = boundAtB();
    assertThat(again).isEqualTo(key);
    rig.inject(packets.getLast());
    assertThat(rig.b.keys.byRemoteKey(key)).as("a repeated packet invalidates nothing").isNotNull();
  }

  @Test
  @Proves("S1.7.5")
  void aSendThatFindsNoReceiveInvalidatesNothingYet() {
    int key = boundAtB();
    rig.a.postSendInv(1, from, 8, key);
    rig.deliverAll();
    assertThat(rig.b.keys.byRemoteKey(key)).isNotNull();
    rig.b.postRecv(7, rig.b.memory(64));
    rig.settle();
    assertThat(rig.b.keys.byRemoteKey(key)).isNull();
    assertThat(rig.a.sendResults()).containsExactly("1");
  }

  @Test
  @Proves("S1.7.5")
  void aKeyThatThePeerMayNotInvalidateEndsTheConnection() {
    for (int wrong = 0; wrong < 4; wrong++) {
      Rig own = Rig.packets();
      Block region = own.b.memory(64);
      Window type1 = own.b.window(false);
      Binding binding = new Binding();
      binding.set(type1, 1, region.lkey(), region.addr(), 8, 0);
      own.b.windows.bind(binding, own.b.domain, own.b.owner);
      Window foreign = own.b.window(true);
      binding.set(foreign, 1, region.lkey(), region.addr(), 8, 0);
      own.b.windows.bind(binding, own.b.domain, new WindowOwner());
      int[] keys = {0x1234_5678, region.rkey(), type1.key(1), foreign.key(1)};
      own.b.postRecv(7, own.b.memory(64));
      own.b.postRecv(8, own.b.memory(64));
      own.a.postSendInv(1, own.a.memory(64), 8, keys[wrong]);
      own.deliverAll();
      assertThat(own.b.receiveResults()).containsExactly("7 MW_BIND_ERR", "8 WR_FLUSH_ERR");
      assertThat(own.a.sendResults()).containsExactly("1 REM_INV_REQ_ERR");
      assertThat(own.b.status.state).isEqualTo(QpState.ERR);
      if (wrong > 0) {
        assertThat(own.b.keys.byRemoteKey(keys[wrong])).as("still valid").isNotNull();
      }
    }
  }

  @Test
  void aWriteThatLosesItsWindowHalfWayIsRefused() {
    int key = boundAtB();
    rig.a.postWrite(1, from, 1000, throughWindow(key));
    rig.pump();
    List<Packet> packets = List.copyOf(rig.a.out.flight);
    rig.a.out.flight.clear();
    rig.inject(packets.get(0));
    rig.inject(packets.get(1));
    rig.b.windows.invalidate(key, rig.b.domain, rig.b.owner);
    rig.inject(packets.get(2));
    assertThat(rig.b.out.log.getLast().view().aethSyndrome())
        .isEqualTo(AethSyndrome.NAK_REMOTE_ACCESS_ERROR);
    assertThat(to.bytes(0, 512)).isEqualTo(from.bytes(0, 512));
    assertThat(to.bytes(512, 512)).containsOnly(0);
  }

  @Test
  void aReadThatLosesItsWindowIsNotAnsweredToTheEnd() {
    int key = boundAtB();
    rig.b.out.takes(2);
    rig.a.postRead(1, from, 1000, throughWindow(key));
    rig.pump();
    rig.deliverToB();
    rig.b.windows.invalidate(key, rig.b.domain, rig.b.owner);
    rig.b.out.takes(Integer.MAX_VALUE);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1 REM_ACCESS_ERR");
  }
}
