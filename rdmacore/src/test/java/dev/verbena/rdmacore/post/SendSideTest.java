package dev.verbena.rdmacore.post;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.verbena.rdmacore.call.Handle;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwBindInfo;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
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
        SendSideTest::noRegion,
        handle,
        QpType.RC);
  }

  private static long noRegion() {
    throw new VerbsException("bindMw", Errno.ENOMEM, "no memory may be locked");
  }

  @Test
  void whatTheLibraryRefusesToABindEndsTheListThere() {
    SendSide side = side(SUCCESS);
    MemoryWindow window =
        (MemoryWindow)
            Proxy.newProxyInstance(
                MemoryWindow.class.getClassLoader(),
                new Class<?>[] {MemoryWindow.class},
                (_, _, _) -> null);
    SendWr bind = new SendWr().opcode(WrOpcode.BIND_MW).mw(window).bindInfo(MwBindInfo.unbind());
    SendWr send = new SendWr().opcode(WrOpcode.SEND).next(bind);
    try {
      side.post(send, lifetime);
      fail("it was posted");
    } catch (WorkRequestException e) {
      assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
      assertThat(e.badSendWr()).isSameAs(bind);
      assertThat(e.index()).isEqualTo(1);
      assertThat(e).hasMessageContaining("no memory may be locked");
    } finally {
      side.end();
    }
  }

  @Test
  void aPostThatWaitsForABatchIsRefusedIfTheQueuePairBeginsToEnd() throws InterruptedException {
    SendSide side = side(ERROR);
    Exclusion batches = side.batches();
    batches.enter();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread poster = Thread.ofPlatform().start(() -> thrown.set(failure(side)));
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

  private Throwable failure(SendSide side) {
    try {
      side.post(new SendWr().opcode(WrOpcode.SEND).sgList(new Sge[0]), lifetime);
      return new AssertionError("it was posted");
    } catch (RuntimeException e) {
      return e;
    }
  }
}
