package dev.verbena.soft.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.memory.ScatterGather;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** A request has the values that were set, and none of the previous request in its slot. */
class SendWqeTest {
  private static final Destination WHERE = new Destination() {};

  private final SendQueue queue = new SendQueue(1, 2, 16);
  private final SendWqe wqe = queue.claim(0);

  private void fill() {
    wqe.begin(
        -5,
        SendOperation.of(WrOpcode.RDMA_WRITE_WITH_IMM),
        SendFlags.FENCE | SendFlags.SOLICITED,
        /* wantsCompletion= */ true);
    wqe.immOrKey(0xCAFEBABE);
    wqe.remote(1L << 62, 0xDEADBEEF);
    wqe.srqNum(0xABCDEF);
    wqe.operands(11, 12);
    wqe.flush(13, 2, 1);
    wqe.destination(WHERE, 14, 15);
    wqe.assignPsns(0xFFFFFE, 7);
    wqe.psnsDone(3);
    wqe.data.add(1, 2, 3);
  }

  @Test
  void everythingThatIsSetIsSaid() {
    fill();
    assertThat(wqe.wrId).isEqualTo(-5);
    assertThat(wqe.operation.opcode).isEqualTo(WrOpcode.RDMA_WRITE_WITH_IMM);
    assertThat(wqe.signaled).isTrue();
    assertThat(wqe.fenced).isTrue();
    assertThat(wqe.solicited).isTrue();
    assertThat(wqe.fillsChecksums).isFalse();
    assertThat(wqe.immOrKey).isEqualTo(0xCAFEBABE);
    assertThat(wqe.remoteAddr).isEqualTo(1L << 62);
    assertThat(wqe.rkey).isEqualTo(0xDEADBEEF);
    assertThat(wqe.srqNum).isEqualTo(0xABCDEF);
    assertThat(wqe.compare).isEqualTo(11);
    assertThat(wqe.swapOrAdd).isEqualTo(12);
    assertThat(wqe.flushLength).isEqualTo(13);
    assertThat(wqe.flushType).isEqualTo(2);
    assertThat(wqe.flushLevel).isEqualTo(1);
    assertThat(wqe.destination).isSameAs(WHERE);
    assertThat(wqe.remoteQpn).isEqualTo(14);
    assertThat(wqe.remoteQkey).isEqualTo(15);
    assertThat(wqe.firstPsn).isEqualTo(0xFFFFFE);
    assertThat(wqe.psnCount).isEqualTo(7);
    assertThat(wqe.psnsDone).isEqualTo(3);
    assertThat(wqe.started).isTrue();
    assertThat(wqe.isExecuted()).isFalse();
    assertThat(wqe.data.total).isEqualTo(3);
    assertThat(wqe.binding()).isNotNull().isSameAs(wqe.binding());
    wqe.assignPsns(9, 0);
    assertThat(wqe.isExecuted()).isTrue();
    assertThat(wqe.psnsDone).isZero();
  }

  @Test
  void theNextRequestInTheSlotStartsAnew() {
    fill();
    wqe.begin(6, SendOperation.of(WrOpcode.SEND), SendFlags.IP_CSUM, false);
    assertThat(wqe.wrId).isEqualTo(6);
    assertThat(wqe.operation.opcode).isEqualTo(WrOpcode.SEND);
    assertThat(wqe.signaled).isFalse();
    assertThat(wqe.fenced).isFalse();
    assertThat(wqe.solicited).isFalse();
    assertThat(wqe.fillsChecksums).isTrue();
    assertThat(wqe.immOrKey).isZero();
    assertThat(wqe.remoteAddr).isZero();
    assertThat(wqe.rkey).isZero();
    assertThat(wqe.srqNum).isZero();
    assertThat(wqe.destination).isNull();
    assertThat(wqe.started).isFalse();
    assertThat(wqe.isExecuted()).isFalse();
    assertThat(wqe.psnCount).isZero();
    assertThat(wqe.psnsDone).isZero();
    assertThat(wqe.data.total).isZero();
    assertThat(wqe.data.count()).isZero();
  }

  @Test
  void aRequestSaysInOneLineWhatItIs() {
    fill();
    assertThat(wqe).hasToString("RDMA_WRITE_WITH_IMM wr_id -5 psn 16777214 x7 signaled, 3 bytes");
    wqe.begin(6, SendOperation.of(WrOpcode.SEND), 0, false);
    assertThat(wqe).hasToString("SEND wr_id 6, 0 bytes");
    wqe.assignPsns(12, 1);
    assertThat(wqe).hasToString("SEND wr_id 6 psn 12, 0 bytes");
  }

  @Test
  void aReceiveSaysInOneLineWhatItIs() {
    RecvWqe recv = new RecvWqe(new ScatterGather(1, null));
    recv.begin(7);
    recv.data().add(1, 2, 64);
    assertThat(recv).hasToString("RECV wr_id 7, 64 bytes");
  }

  @Test
  void aTemplateMakesASegmentOfEachMssAndOneOfNothing() {
    TsoTemplate template = new TsoTemplate(8);
    template.set(MemorySegment.ofArray(new byte[] {1, 2, 3}), 100);
    assertThat(template.length()).isEqualTo(3);
    assertThat(template.mss()).isEqualTo(100);
    assertThat(template.header().asSlice(0, 3).toArray(ValueLayout.JAVA_BYTE))
        .containsExactly(1, 2, 3);
    assertThat(template.segments(0)).isEqualTo(1);
    assertThat(template.segments(1)).isEqualTo(1);
    assertThat(template.segments(100)).isEqualTo(1);
    assertThat(template.segments(101)).isEqualTo(2);
    assertThat(template.segments(200)).isEqualTo(2);
    assertThat(template.segments(1001)).isEqualTo(11);
    assertThat(wqe.tso).as("the queue was made without").isNull();
    SendWqe other = new SendQueue(1, 2, 16, 8).claim(0);
    assertThat(other.tso).isNotNull().isSameAs(other.tso);
  }
}
