package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.transport.frames.FrameOut;
import dev.verbena.soft.transport.frames.FramePath;
import dev.verbena.soft.transport.packets.PacketPath;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Address;
import dev.verbena.wire.EthernetFrame;
import dev.verbena.wire.FrameChecksums;
import dev.verbena.wire.Operation;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a chunk becomes a frame or a packet, and which responses pass. */
class PathTest {
  private static final String UDP =
      "020000000002020000000001"
          + "0800"
          + "4500001e00000000401100000a0000010a000002"
          + "00010002000a0000"
          + "4142";

  private final List<byte[]> frames = new ArrayList<>();
  private boolean takes = true;
  private final FramePath frame =
      new FramePath(
          new FrameOut() {
            @Override
            public int maxFrame() {
              return 1500;
            }

            @Override
            public boolean send(MemorySegment frame, int length) {
              frames.add(frame.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
              return takes;
            }
          });
  private final Chunk chunk = new Chunk();

  private void begin(byte[] bytes) {
    chunk.begin(Operation.SEND, true, true, 0, 1);
    chunk.payload.clear();
    chunk.payload.add(MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  @Test
  @Proves("S9.1")
  void aShortFrameIsPaddedWithZeros() {
    byte[] full = new byte[1500];
    Arrays.fill(full, (byte) 7);
    begin(full);
    assertThat(frame.send(chunk)).isTrue();
    assertThat(frames.getLast()).isEqualTo(full);
    begin(Arrays.copyOf(full, 20));
    assertThat(frame.send(chunk)).isTrue();
    assertThat(frames.getLast()).isEqualTo(Arrays.copyOf(Arrays.copyOf(full, 20), 60));
    begin(Arrays.copyOf(full, 60));
    takes = false;
    assertThat(frame.send(chunk)).as("the link takes none").isFalse();
    assertThat(frames.getLast()).isEqualTo(Arrays.copyOf(full, 60));
    assertThat(frame.isReady()).isTrue();
    assertThat(frame.chunkPsns()).isEqualTo(1);
    assertThat(frame.readPsns()).isEqualTo(1);
    assertThat(frame.mostInFlight(1)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void aFrameOfClosedMemoryIsNotSentAndSaysWhy() {
    chunk.begin(Operation.SEND, true, true, 0, 1);
    try (Arena arena = Arena.ofShared()) {
      chunk.payload.add(arena.allocate(8), 0, 8);
    }
    assertThat(frame.send(chunk)).isFalse();
    assertThat(chunk.payloadGone).isTrue();
    assertThat(frames).isEmpty();
  }

  @Test
  @Proves("S9.5")
  void checksumsAreFilledInIfTheRequestAsksForIt() {
    byte[] bytes = HexFormat.of().parseHex(UDP);
    EthernetFrame view = new EthernetFrame();
    begin(bytes);
    assertThat(chunk.fillsChecksums).isFalse();
    frame.send(chunk);
    assertThat(Arrays.copyOf(frames.getLast(), bytes.length)).isEqualTo(bytes);
    begin(bytes);
    chunk.fillChecksums();
    assertThat(chunk.fillsChecksums).isTrue();
    frame.send(chunk);
    MemorySegment sent = MemorySegment.ofArray(frames.getLast());
    assertThat(view.parse(sent, 0, (int) sent.byteSize())).isTrue();
    assertThat(new FrameChecksums().areValid(view)).isTrue();
    begin(new byte[14]);
    chunk.fillChecksums();
    assertThat(frame.send(chunk)).isTrue();
    assertThat(frames.getLast()).containsOnly(0);
  }

  @Test
  void whatAReceiverIsToldOfAFrameIsForgottenWithTheNext() {
    chunk.begin(Operation.SEND, true, true, 0, 1);
    chunk.received(/* valid= */ true, 9);
    assertThat(chunk.checksumsValid).isTrue();
    assertThat(chunk.flowTag).isEqualTo(9);
    chunk.begin(Operation.SEND, true, true, 0, 1);
    assertThat(chunk.checksumsValid).isFalse();
    assertThat(chunk.flowTag).isZero();
  }

  @Test
  void whatIsInClosedMemoryIsNotSentAndLeavesNothingBehind() {
    MemorySegment closed;
    try (Arena arena = Arena.ofShared()) {
      closed = arena.allocate(64);
    }
    chunk.begin(Operation.SEND, true, true, 0, 1);
    chunk.payload.add(closed, 0, 64);
    assertThat(frame.send(chunk)).isFalse();
    assertThat(frames).isEmpty();
    Rig rig = Rig.packets();
    PacketPath packets = new PacketPath(rig.a.out, rig.a.core);
    assertThat(packets.send(chunk)).isFalse();
    assertThat(rig.a.out.log).isEmpty();
    begin(new byte[64]);
    assertThat(packets.send(chunk)).isTrue();
    assertThat(rig.a.out.log).hasSize(1);
    begin(new byte[9000]);
    assertThatThrownBy(() -> packets.send(chunk)).isInstanceOf(IndexOutOfBoundsException.class);
    begin(new byte[0]);
    assertThat(packets.send(chunk)).as("the buffer was given back").isTrue();
    assertThat(rig.a.out.log).hasSize(2);
  }

  @Test
  @Proves("S12.6.1")
  void aResponseMustComeFromThePeerByBothHalvesOfItsAddressAndItsPkey() {
    Rig rig = Rig.packets();
    rig.a.postWrite(1, rig.a.memory(8), 8, rig.b.memory(8));
    rig.deliverAll();
    RocePacket ack = rig.b.out.log.getFirst().view();
    QpCore core = rig.a.core;
    rig.a.parameters.peer(new Address(5, 6));
    assertThat(core.obstacle(new Address(5, 6), ack.pkey)).isNull();
    assertThat(core.obstacle(new Address(5, 7), ack.pkey)).isEqualTo(Counter.DROPPED_SOURCE);
    assertThat(core.obstacle(new Address(4, 6), ack.pkey)).isEqualTo(Counter.DROPPED_SOURCE);
    rig.a.parameters.pkey(0x8001);
    assertThat(core.obstacle(new Address(5, 6), ack.pkey)).isEqualTo(Counter.DROPPED_PKEY);
    rig.a.parameters.pkey(0x7fff);
    assertThat(core.obstacle(new Address(5, 6), ack.pkey))
        .as("a limited member and a full one")
        .isNull();
    rig.a.status.state(QpState.INIT);
    assertThat(core.obstacle(new Address(5, 6), ack.pkey)).isEqualTo(Counter.DROPPED_QP_STATE);
  }
}
