package dev.verbena.soft.device;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DamageTest {
  private static final int TRIES = 8;

  /** One end of a connection, with a receive posted. */
  private static final class End {
    final CompletionQueue cq;
    final MemoryRegion memory;
    final QueuePair qp;

    End(Context context) {
      ProtectionDomain pd = context.allocPd();
      cq = context.createCq(16);
      memory = pd.allocMr(4096, LOCAL_WRITE);
      qp = pd.createQp(QpInitAttr.rc(cq));
    }
  }

  @Test
  @Proves("S12.4.2")
  void aPacketWithADamagedIcrcIsDroppedWithoutAWord() {
    // The seed flips no bit that the ICRC does not cover.
    FaultSpec damage = new FaultSpec(0, List.of(), 0, 0, 0, Duration.ofMillis(1), 1, 3);
    try (Pair pair = Pair.open(1, damage, false)) {
      End left = new End(pair.left());
      End right = new End(pair.right());
      left.qp.connect(right.qp.endpoint());
      right.qp.connect(left.qp.endpoint());
      right.qp.postRecv(new RecvWr().sgList(right.memory.sge()));
      left.qp.postSend(new SendWr().opcode(WrOpcode.SEND).sgList(left.memory.sge(64, 0)));
      pair.drive(Duration.ofSeconds(10).toNanos());
      WorkCompletion wc = new WorkCompletion();
      assertThat(left.cq.poll(wc)).isTrue();
      assertThat(wc.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(right.cq.poll(wc)).isFalse();
      // A bit that makes the packet malformed keeps it from reaching the ICRC check.
      assertThat(pair.right().counters().get(Counter.PACKETS_RECEIVED)).isEqualTo(TRIES);
      assertThat(pair.right().counters().get(Counter.DROPPED_ICRC)).isGreaterThan(TRIES / 2);
      assertThat(pair.right().counters().get(Counter.PACKETS_SENT)).isZero();
    }
  }
}
