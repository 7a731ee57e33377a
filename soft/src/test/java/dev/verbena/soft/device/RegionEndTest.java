package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.device.qp.SoftQueuePair;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.MemoryWindow;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.SendOps;
import java.lang.foreign.Arena;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * When a call that ends a registration returns, no thread of the device uses the memory any more.
 */
@Timeout(60)
class RegionEndTest {
  private static final QpCap CAP = new QpCap(4, 4, 1, 1, 0);

  /** The calls that end a registration, or a part of it. */
  enum End {
    DEREG,
    CLOSE,
    CLOSE_OF_THE_DOMAIN,
    OTHER_MEMORY,
    FEWER_RIGHTS,
    OTHER_DOMAIN,
    DEALLOC_OF_A_WINDOW
  }

  private record Scene(ConnectedQp own, MemoryRegion mr, MemoryWindow window) {
    void end(End how) {
      switch (how) {
        case DEREG -> mr.dereg();
        case CLOSE -> mr.close();
        case CLOSE_OF_THE_DOMAIN -> own.pd().close();
        case OTHER_MEMORY ->
            mr.rereg(ReregFlags.CHANGE_TRANSLATION, null, Arena.ofAuto().allocate(64));
        case FEWER_RIGHTS -> mr.rereg(ReregFlags.CHANGE_ACCESS, null, null, 0);
        case OTHER_DOMAIN -> mr.rereg(ReregFlags.CHANGE_PD, own.context().allocPd(), null);
        case DEALLOC_OF_A_WINDOW -> window.dealloc();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void returnsOnlyWhenNoThreadIsInsideTheMemoryAnyMore(End end) throws InterruptedException {
    try (ConnectedQp own = ConnectedQp.open("", CAP, SendOps.RDMA_WRITE)) {
      Scene scene =
          new Scene(own, own.pd().allocMr(64, Access.LOCAL_WRITE), own.pd().allocMw(MwType.TYPE_2));
      QpRuntime runtime = ((SoftQueuePair) own.qp()).runtime();
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch leave = new CountDownLatch(1);
      AtomicBoolean isInside = new AtomicBoolean();
      CompletableFuture<Void> user =
          CompletableFuture.runAsync(
              () -> {
                runtime.enterMemory();
                isInside.set(true);
                inside.countDown();
                awaitLatch(leave);
                isInside.set(false);
                runtime.exitMemory();
              });
      inside.await();
      CompletableFuture<Boolean> early = new CompletableFuture<>();
      Thread ending =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      scene.end(end);
                      early.complete(isInside.get());
                    } catch (RuntimeException | Error e) {
                      early.completeExceptionally(e);
                    }
                  });
      while (!early.isDone() && ending.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      leave.countDown();
      assertThat(early.join()).as("it returned while a thread was inside").isFalse();
      user.join();
    }
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
