package dev.verbena.soft.device;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.verbs.AtomicCap;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WcStatus;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Remote atomics and the processor's own do not tear each other, which is more than atomic_cap
 * promises.
 */
class HostAtomicsTest {
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
  private static final int TIMES = 20_000;
  private static final long LANDING = 64;

  @Test
  @Proves("S5.4.2")
  void theDeviceTellsOfTheKindThatProgramsLookFor() {
    try (Context context = Devices.open("soft:" + ConnectedQp.address(248))) {
      assertThat(context.queryDevice().atomicCap()).isEqualTo(AtomicCap.HCA);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"?link=auto", "?link=packet"})
  @Proves("S5.4.2")
  void additionsOfAPeerAndOfTheProcessorAreAllCounted(String options) throws InterruptedException {
    QpCap cap = new QpCap(16, 1, 1, 1, 0);
    try (ConnectedQp self = ConnectedQp.open(options, cap, SendOps.ATOMIC_FETCH_AND_ADD)) {
      AtomicBoolean enough = new AtomicBoolean();
      AtomicLong added = new AtomicLong();
      Thread processor =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!enough.get()) {
                      long _ = (long) LONG.getAndAdd(self.mr().memory(), 0L, 1L << 32);
                      added.addAndGet(1L << 32);
                    }
                  });
      for (int i = 0; i < TIMES; i++) {
        self.qp().wrStart();
        self.qp().wrId(i).wrFlags(SendFlags.SIGNALED);
        self.qp().wrAtomicFetchAdd(self.mr().rkey(), self.mr().addr(), 1);
        self.qp().wrSetSge(self.mr().lkey(), self.mr().addr() + LANDING, 8);
        self.qp().wrComplete();
        assertThat(self.awaitCompletion().status()).isEqualTo(WcStatus.SUCCESS);
      }
      enough.set(true);
      processor.join();
      assertThat(added.get()).isPositive();
      assertThat(self.mr().memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(added.get() + TIMES);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"?link=auto", "?link=packet"})
  @Proves("S5.4.2")
  void aSwapThatFoundItsValueHasNotPassedOverAnotherOfTheProcessor(String options)
      throws InterruptedException {
    QpCap cap = new QpCap(16, 1, 1, 1, 0);
    try (ConnectedQp self = ConnectedQp.open(options, cap, SendOps.ATOMIC_CMP_AND_SWP)) {
      AtomicBoolean enough = new AtomicBoolean();
      AtomicLong swapped = new AtomicLong();
      Thread processor =
          Thread.ofPlatform()
              .start(
                  () -> {
                    while (!enough.get()) {
                      long seen = (long) LONG.getVolatile(self.mr().memory(), 0L);
                      if (LONG.compareAndSet(self.mr().memory(), 0L, seen, seen + 1)) {
                        swapped.incrementAndGet();
                      }
                    }
                  });
      long seen = 0;
      for (int i = 0; i < TIMES; i++) {
        self.qp().wrStart();
        self.qp().wrId(i).wrFlags(SendFlags.SIGNALED);
        self.qp().wrAtomicCmpSwp(self.mr().rkey(), self.mr().addr(), seen, seen + 1);
        self.qp().wrSetSge(self.mr().lkey(), self.mr().addr() + LANDING, 8);
        self.qp().wrComplete();
        assertThat(self.awaitCompletion().status()).isEqualTo(WcStatus.SUCCESS);
        long found = self.mr().memory().get(ValueLayout.JAVA_LONG, LANDING);
        if (found == seen) {
          swapped.incrementAndGet();
          seen++;
        } else {
          seen = found;
        }
      }
      enough.set(true);
      processor.join();
      assertThat(self.mr().memory().get(ValueLayout.JAVA_LONG, 0)).isEqualTo(swapped.get());
    }
  }
}
