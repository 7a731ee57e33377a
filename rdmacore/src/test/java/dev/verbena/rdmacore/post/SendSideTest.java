package dev.verbena.rdmacore.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.rdmacore.call.Handle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.provider.Exclusion;
import dev.verbena.verbs.provider.Lifetime;
import dev.verbena.verbs.provider.Population;
import java.lang.foreign.Linker;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class SendSideTest {
  /** Addresses of queues. */
  private static final long SUCCESS = 1L << Integer.SIZE;

  private static final long ERROR = 1;

  private final Handle handle = new Handle("PD 1", 1, _ -> {});
  private final Lifetime lifetime =
      Lifetime.root("QP 0x11", new Population(_ -> 1), () -> () -> {});

  SendSideTest() {
    lifetime.begin("createQp", List.of());
  }

  /** One whose driver's function answers the lower half of the queue's address. */
  private SendSide side(long queue) {
    return new SendSide(
        new PostSide.Target(
            "postSend",
            lifetime.name(),
            Linker.nativeLinker().defaultLookup().findOrThrow("abs"),
            queue,
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
  }

  @Test
  void aBindThatCannotBePostedEndsTheListThere() {
    SendSide side = side(SUCCESS);
    MemoryWindow window =
        (MemoryWindow)
            Proxy.newProxyInstance(
                MemoryWindow.class.getClassLoader(),
                new Class<?>[] {MemoryWindow.class, NativeBindable.class},
                (_, method, _) ->
                    switch (method.getName()) {
                      case "isOf" -> true;
                      case "struct" -> 1L;
                      case "type" -> MwType.TYPE_2;
                      default -> null;
                    });
    SendWr bind = new SendWr().opcode(WrOpcode.BIND_MW).mw(window).bindInfo(MwBindInfo.unbind());
    SendWr send = new SendWr().opcode(WrOpcode.SEND).next(bind);
    WorkRequestException refusal =
        catchThrowableOfType(WorkRequestException.class, () -> side.post(send, lifetime));
    side.end();
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refusal.badSendWr()).isSameAs(bind);
    assertThat(refusal.index()).isEqualTo(1);
    assertThat(refusal).hasMessageContaining("of another domain");
  }

  @Test
  void aPostThatWaitsForABatchIsRefusedIfTheQueuePairBeginsToEnd() throws InterruptedException {
    SendSide side = side(ERROR);
    Exclusion batches = side.batches();
    batches.enter();
    SendWr send = new SendWr().opcode(WrOpcode.SEND);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread poster =
        Thread.ofPlatform()
            .start(() -> thrown.set(catchThrowable(() -> side.post(send, lifetime))));
    while (poster.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    lifetime.destroy();
    // The thread with the batch only leaves it: the driver still has it open.
    batches.exit();
    poster.join();
    side.end();
    assertThat(thrown.get()).isInstanceOf(ObjectClosedException.class).hasMessageContaining("0x11");
  }
}
