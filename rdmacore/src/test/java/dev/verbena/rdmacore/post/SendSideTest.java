package dev.verbena.rdmacore.post;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.call.Handle;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.Exclusion;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.Population;
import java.lang.foreign.Linker;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SendSideTest {
  private final Handle handle = new Handle("PD 1", 1, _ -> {});
  private final Lifetime lifetime =
      Lifetime.root("QP 0x11", new Population(_ -> 1), () -> () -> {});

  /** Its driver's function answers the address of the queue, and so an error. */
  private final SendSide side =
      new SendSide(
          new PostSide.Target(
              "postSend",
              "QP 0x11",
              Linker.nativeLinker().defaultLookup().findOrThrow("abs"),
              1,
              new Regions(),
              "max_send_",
              1,
              () -> "",
              1,
              0,
              0),
          handle,
          () -> 0,
          handle,
          QpType.RC);

  SendSideTest() {
    lifetime.begin("createQp", List.of());
  }

  @AfterEach
  void end() {
    side.end();
  }

  @Test
  void aPostThatWaitsForABatchIsRefusedIfTheQueuePairBeginsToEnd() throws InterruptedException {
    Exclusion batches = side.batches();
    batches.enter();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread poster = Thread.ofPlatform().start(() -> thrown.set(failure()));
    while (poster.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    lifetime.destroy();
    // The thread with the batch only leaves it: the driver still has it open.
    batches.exit();
    poster.join();
    assertThat(thrown.get()).isInstanceOf(ObjectClosedException.class).hasMessageContaining("0x11");
  }

  private Throwable failure() {
    try {
      side.post(new SendWr().opcode(WrOpcode.SEND).sgList(new Sge[0]), lifetime);
      return new AssertionError("it was posted");
    } catch (RuntimeException e) {
      return e;
    }
  }
}
