package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Reth;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The texts by which a responder describes requests that it does not execute. */
final class RefusedRequestTest extends ResponderFixture {
  private static final int ALL = Endpoint.RIGHTS;

  private static void assertSays(Rig rig, String operation, String reason) {
    assertThat(rig.b.refusals)
        .containsExactly(
            operation
                + " from "
                + rig.a.gid
                + " QP 0x"
                + Integer.toHexString(rig.a.parameters.qpNum)
                + reason);
  }

  private void assertRefusal(String operation, String reason) {
    assertSays(rig, operation, " refused: " + reason);
  }

  private static String hex(long number) {
    return "0x" + Long.toHexString(number);
  }

  private String rkey() {
    return "rkey 0x" + Integer.toHexString(to.rkey());
  }

  @Test
  void whatIsExecutedIsNotSpokenOf() {
    rig.b.postRecv(1, to);
    rig.a.postSend(1, from, 8);
    rig.a.postWrite(2, from, 8, to);
    rig.a.postRead(3, from, 8, to);
    rig.deliverAll();
    assertThat(rig.a.sendResults()).containsExactly("1", "2", "3");
    assertThat(rig.b.refusals).isEmpty();
  }

  @Test
  void aRightThatTheQueuePairLacksIsNamed() {
    Rig poor = Rig.packets(p -> p.accessFlags(ALL & ~Access.REMOTE_WRITE));
    poor.a.postWrite(1, poor.a.memory(8), 8, poor.b.memory(8));
    poor.deliverAll();
    assertSays(poor, "WRITE", " refused: this queue pair was connected without REMOTE_WRITE");
  }

  @Test
  void eachOperationNamesItsOwnRight() {
    Rig reader = Rig.packets(p -> p.accessFlags(ALL & ~Access.REMOTE_READ));
    reader.a.postRead(1, reader.a.memory(8), 8, reader.b.memory(8));
    reader.deliverAll();
    assertSays(reader, "READ", " refused: this queue pair was connected without REMOTE_READ");
    Rig atomic = Rig.packets(p -> p.accessFlags(ALL & ~Access.REMOTE_ATOMIC));
    atomic.a.postFetchAdd(1, atomic.a.memory(8), atomic.b.memory(8), 1);
    atomic.deliverAll();
    assertSays(
        atomic, "FETCH_ADD", " refused: this queue pair was connected without REMOTE_ATOMIC");
  }

  @Test
  void aKeyThatNothingHasIsNamed() {
    rig.inject(captureWrite(8).edited(b -> PacketEdits.rkey(b, to.rkey() ^ 1)));
    assertRefusal(
        "WRITE",
        "rkey 0x" + Integer.toHexString(to.rkey() ^ 1) + ": no region or window has this key");
  }

  @Test
  void aRegionOfAnotherDomainIsToldFromAnUnknownKey() {
    moveTargetToAnotherDomain();
    rig.inject(captureWrite(8));
    assertRefusal("WRITE", rkey() + ": the region belongs to another protection domain");
  }

  @Test
  void aRightThatTheRegionLacksIsNamed() {
    Block weak = rig.b.memory(64, Access.LOCAL_WRITE | Access.REMOTE_READ, Arena.ofAuto());
    rig.a.postWrite(1, from, 8, weak);
    rig.deliverAll();
    assertRefusal(
        "WRITE",
        "rkey 0x" + Integer.toHexString(weak.rkey()) + ": the region or window lacks REMOTE_WRITE");
  }

  @Test
  void aRangeOutOfBoundsStandsBesideTheBounds() {
    rig.a.postWrite(1, from, 2000, to);
    rig.inject(capture().getFirst().edited(b -> PacketEdits.va(b, to.addr() + 4000)));
    assertRefusal(
        "WRITE",
        rkey()
            + ": 2000 bytes at "
            + hex(to.addr() + 4000)
            + " exceed the region or window, 4096 bytes at "
            + hex(to.addr()));
  }

  @Test
  void memoryThatWasClosedIsToldFromAKeyThatWasRemoved() {
    Arena arena = Arena.ofShared();
    Block gone = rig.b.memory(64, ALL, arena);
    arena.close();
    rig.a.postFetchAdd(1, from, gone, 1);
    rig.deliverAll();
    assertThat(rig.b.refusals).hasSize(1);
    assertThat(rig.b.refusals.getFirst()).contains("closed the memory's arena");
  }

  @Test
  void aMessageLongerThanTheReceiveStandsBesideItsLength() {
    rig.b.postRecv(1, to, 300);
    rig.a.postSend(1, from, 600);
    rig.deliverAll();
    assertRefusal("SEND", "it needs at least 512 bytes, but the receive has 300");
  }

  @Test
  void aReceiveThatCannotBeWrittenIsThisSidesFault() {
    Block readOnly = rig.b.memory(64, Access.REMOTE_READ, Arena.ofAuto());
    rig.b.postRecv(1, readOnly);
    rig.a.postSend(1, from, 8);
    rig.deliverAll();
    assertRefusal("SEND", "the receive posted for it cannot be used: the region lacks the right");
  }

  @Test
  void aMisalignedAtomicSaysItsAddress() {
    rig.a.postFetchAdd(1, from, to, 1);
    rig.inject(capture().getFirst().edited(b -> PacketEdits.va(b, to.addr() + 4)));
    assertRefusal("FETCH_ADD", "its address " + hex(to.addr() + 4) + " is not a multiple of 8");
  }

  @Test
  void aMessageThatNeverBeganIsOutOfSequence() {
    rig.a.postWrite(1, from, 600, to);
    List<Packet> packets = capture();
    rig.inject(packets.get(1).edited(b -> PacketEdits.psn(b, Rig.PSN_A)));
    assertRefusal("WRITE", "it continues a message that has not begun");
  }

  @Test
  void aMessageThatBeginsWithinAnotherIsOutOfSequence() {
    rig.a.postWrite(1, from, 600, to);
    Packet first = capture().getFirst();
    rig.inject(first);
    rig.inject(first.edited(b -> PacketEdits.psn(b, Rig.PSN_A + 1)));
    assertRefusal("WRITE", "it begins before the message under way has ended");
  }

  @Test
  void aPacketOfTheWrongLengthStandsBesideTheMtu() {
    rig.a.postWrite(1, from, 600, to);
    Packet first = capture().getFirst();
    Rig other = Rig.packets(p -> p.mtu(Mtu.MTU_512));
    other.inject(first);
    assertThat(other.b.refusals).hasSize(1);
    assertThat(other.b.refusals.getFirst())
        .endsWith(
            "a packet of 256 bytes, which its place in the message does not allow at a path"
                + " MTU of 512");
  }

  @Test
  void moreReadsThanAllowedNameTheLimit() {
    Rig none = Rig.packets(p -> p.maxDestRdAtomic(0));
    none.a.parameters.maxRdAtomic(1);
    none.a.postRead(1, none.a.memory(8), 8, none.b.memory(8));
    none.deliverAll();
    assertSays(
        none,
        "READ",
        " refused: more READs and atomics outstanding than max_dest_rd_atomic, which is 0");
  }

  @Test
  void aReadBeyondTheLongestMessageSaysHowLongItIs() {
    rig.a.postRead(1, from, 8, to);
    rig.inject(capture().getFirst().edited(b -> PacketEdits.length(b, 0x80000001)));
    assertRefusal(
        "READ",
        "2147483649 bytes, more than the " + Reth.MAX_DMA_LENGTH + " that a message may have");
  }

  @Test
  void aKeyThatCannotBeInvalidatedIsNamed() {
    rig.b.postRecv(1, to);
    rig.a.post(
        1,
        WrOpcode.SEND_WITH_INV,
        0,
        w -> {
          w.data.add(from.lkey(), from.addr(), 8);
          w.immOrKey(0x1234);
        });
    rig.deliverAll();
    assertRefusal("SEND", "rkey 0x1234 cannot be invalidated: no region has this key");
  }

  @Test
  void aPacketOfAnotherPartitionIsDroppedWithBothKeys() {
    rig.inject(captureWrite(8).edited(b -> PacketEdits.pkey(b, 0x8001)));
    assertSays(
        rig, "WRITE", " dropped: its P_Key is 0x8001, and that of this queue pair is 0xffff");
  }

  @Test
  void aGuessedPsnStandsBesideTheExpectedOne() {
    int guess = Rig.PSN_A + (1 << 16) + 1;
    rig.inject(captureWrite(8).edited(b -> PacketEdits.psn(b, guess)));
    assertSays(
        rig,
        "WRITE",
        " dropped: its PSN "
            + guess
            + " is far ahead of the expected one, "
            + Rig.PSN_A
            + ": a guess?");
  }

  @Test
  void theMissingReceiveOfAConnectionIsNoRefusalButTold() {
    rig.a.postSend(1, from, 8);
    rig.inject(capture().getFirst());
    assertThat(rig.b.refusals).isEmpty();
    assertThat(rig.b.told).containsExactly("RESET RTS", "sent nak 0x2c " + Rig.PSN_A);
  }

  @Test
  void bothSidesTellOfANakAndOfTheErrorBehindIt() {
    rig.a.postFetchAdd(1, from, to, 1);
    rig.inject(capture().getFirst().edited(b -> PacketEdits.va(b, to.addr() + 4)));
    rig.deliverAll();
    assertThat(rig.b.told).containsExactly("RESET RTS", "sent nak 0x61 " + Rig.PSN_A, "RTS ERR");
    assertThat(rig.a.told).containsExactly("RESET RTS", "got nak 0x61 " + Rig.PSN_A, "RTS ERR");
  }
}
