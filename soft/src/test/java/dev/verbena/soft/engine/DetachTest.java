package dev.verbena.soft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.soft.engine.qp.IcrcMatch;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.engine.qp.QpSetup;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.SharedReceives;
import dev.verbena.soft.queue.SharedRecvQueue;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.wire.Operation;
import org.junit.jupiter.api.Test;

/** What a queue pair leaves behind when it ends. */
class DetachTest {
  @Test
  @Proves("S3.4.4")
  void theSharedReceiveOfAMessageUnderWayIsForOthersAgain() {
    try (Lab lab = new Lab(() -> 0, false, true)) {
      Engine engine = lab.engine();
      Domain domain = new Domain();
      SharedRecvQueue queue = new SharedRecvQueue(4, 1, Guard.NONE, () -> {});
      CompletionRing ring = CompletionRing.unused();
      QpRuntime qp =
          engine.attach(
              new QpSetup(
                  QpSetup.ANY_NUMBER,
                  QpType.UC,
                  new QpCap(1, 0, 1, 1, 0),
                  0,
                  ring,
                  ring,
                  new SharedReceives(queue, ring, domain, domain),
                  domain,
                  true,
                  type -> {}));
      qp.change(
          () -> {
            qp.parameters().peer(engine.address());
            qp.parameters().pkey(0xFFFF);
            qp.startReceives(5);
            qp.status().state(QpState.RTR);
          });
      queue.claim(0).begin(1);
      queue.publish(1);
      Chunk first = new Chunk();
      first.begin(Operation.SEND, true, false, 5, 1);
      first.bth(engine.address(), qp.qpNum(), 0xFFFF, false, false);
      qp.machines.request(first, IcrcMatch.EXACT, /* congested= */ false);
      assertThat(queue.size()).isZero();
      engine.detach(qp);
      assertThat(queue.size()).isEqualTo(1);
    }
  }

  @Test
  void packetsAreExpectedForAsLongAsAnyQueuePairIsConnected() {
    try (Lab lab = new Lab(() -> 0, false, false)) {
      Peer near = new Peer(lab.engine(), 8);
      Peer far = new Peer(lab.engine(), 8);
      assertThat(near.engine.listeners.any).isFalse();
      near.connectTo(far, 1, 2, 14);
      assertThat(near.engine.listeners.any).isTrue();
      assertThat(far.engine.listeners.any).isFalse();
      near.engine.detach(near.qp);
      assertThat(near.engine.listeners.any).isFalse();
    }
  }
}
