package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.frames.FrameOut;
import dev.verbena.soft.transport.frames.FramePath;
import dev.verbena.soft.transport.requester.Requester;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.EthernetFrame;
import dev.verbena.wire.FrameChecksums;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The requests of a queue pair for Ethernet frames. */
class RawSendTest {
  private static final int MSS = 100;
  private static final byte[] TCP_HEADERS =
      HexFormat.of()
          .parseHex(
              "020000000002020000000001"
                  + "0800"
                  + "450000000000400040060000"
                  + "0a0000010a000002"
                  + "040000500000000000000002"
                  + "5018ffff00000000");

  private final List<byte[]> frames = new ArrayList<>();
  private final Rig rig = Rig.of(Service.RAW, /* loopback= */ false);
  private final Endpoint a = rig.a;
  private final SendQueue queue = new SendQueue(4, 4, 0, TCP_HEADERS.length);
  private final Requester requester =
      new Requester(a.core, queue, a.sendRing, new AloneOperations(a.windows, a.domain, a.owner));
  private final Block data = a.memory(4096).scribble(3);

  RawSendTest() {
    FrameOut out =
        new FrameOut() {
          @Override
          public int maxFrame() {
            return 1514;
          }

          @Override
          public boolean send(MemorySegment frame, int length) {
            frames.add(frame.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            return true;
          }
        };
    requester.connect(new FramePath(out), a.gid, new Unlimited());
    requester.start(0);
  }

  private SendWqe begin(WrOpcode opcode, int flags) {
    SendWqe wqe = queue.claim(0);
    wqe.begin(1, SendOperation.of(opcode), flags, /* wantsCompletion= */ true);
    return wqe;
  }

  private EthernetFrame parse(byte[] frame) {
    EthernetFrame view = new EthernetFrame();
    assertThat(view.parse(MemorySegment.ofArray(frame), 0, frame.length)).isTrue();
    return view;
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "100, 1", "101, 2", "1000, 10", "1033, 11"})
  @Proves("S9.6")
  void aStreamBecomesFramesWithHeadersOfTheirOwn(int length, int segments) {
    SendWqe wqe = begin(WrOpcode.TSO, 0);
    Objects.requireNonNull(wqe.tso).set(MemorySegment.ofArray(TCP_HEADERS), MSS);
    int half = length / 2;
    wqe.data.add(data.lkey(), data.addr(), half);
    wqe.data.add(data.lkey(), data.addr() + half, length - half);
    queue.publish(1);
    requester.run(new Budget());
    assertThat(frames).hasSize(segments);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int i = 0; i < segments; i++) {
      byte[] frame = frames.get(i);
      EthernetFrame view = parse(frame);
      assertThat(new FrameChecksums().areValid(view)).isTrue();
      boolean last = i == segments - 1;
      assertThat(frame[47] & 0x08).as("PSH").isEqualTo(last ? 0x08 : 0);
      stream.write(frame, TCP_HEADERS.length, view.ipEnd() - TCP_HEADERS.length);
    }
    assertThat(stream.toByteArray()).isEqualTo(data.bytes(0, length));
    List<WorkCompletion> done = a.pollSends();
    assertThat(done).extracting(WorkCompletion::opcode).containsExactly(WcOpcode.TSO);
    assertThat(done).extracting(WorkCompletion::byteLen).containsExactly((long) length);
  }

  @Test
  @Proves("S9.5")
  void checksumsAreFilledInForTheRequestThatAsksForIt() {
    int length = TCP_HEADERS.length + 20;
    Block frame = a.memory(length);
    frame.memory().copyFrom(MemorySegment.ofArray(TCP_HEADERS));
    frame.memory().set(ValueLayout.JAVA_BYTE, 17, (byte) (length - 14));
    for (int flags : new int[] {0, SendFlags.IP_CSUM}) {
      SendWqe wqe = begin(WrOpcode.SEND, flags);
      wqe.data.add(frame.lkey(), frame.addr(), length);
      queue.publish(1);
      requester.run(new Budget());
    }
    assertThat(frames).hasSize(2);
    assertThat(frames.get(0)).isEqualTo(frame.bytes());
    assertThat(new FrameChecksums().areValid(parse(frames.get(1)))).isTrue();
  }
}
