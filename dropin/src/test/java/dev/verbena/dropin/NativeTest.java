package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A device of libibverbs, which is the library of this build, over the software device. Before it
 * stands {@code adapter.c}, which adds what only adapters have.
 */
abstract class NativeTest {
  /** The provider loads one library, for the rest of this JVM's life. */
  private static @Nullable Path adapter;

  static final Duration DEADLINE = Duration.ofSeconds(30);

  static final int ALL =
      Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

  static final int OPS =
      SendOps.RDMA_WRITE | SendOps.ATOMIC_FETCH_AND_ADD | SendOps.SEND | SendOps.RDMA_READ;

  Context context;
  ProtectionDomain pd;

  /** The device as libibverbs has it. */
  static Device device() {
    Verbs.library();
    System.setProperty("dev.verbena.rdmacore.library", adapter().toString());
    return Devices.list().stream()
        .filter(each -> each.spec().name().equals("rdmacore"))
        .findFirst()
        .orElseThrow();
  }

  private static synchronized Path adapter() {
    Path present = adapter;
    if (present == null) {
      try {
        Path folder = Files.createDirectories(Path.of("target", "test-native").toAbsolutePath());
        present = CProgram.versioned(folder, "adapter");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
      adapter = present;
    }
    return present;
  }

  @BeforeEach
  void open() {
    context = device().open();
    pd = context.allocPd();
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  static void assertErrno(org.assertj.core.api.ThrowableAssert.ThrowingCallable call, int errno) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).as(e.getMessage()).isEqualTo(errno));
  }

  static String text(MemoryRegion mr, long offset) {
    return mr.memory().getString(offset, StandardCharsets.UTF_8);
  }

  static WorkCompletion await(CompletionQueue cq) {
    WorkCompletion wc = new WorkCompletion();
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!cq.poll(wc)) {
      assertThat(System.nanoTime()).as("no completion in time").isLessThan(end);
      Thread.onSpinWait();
    }
    return wc;
  }

  /** One end of a connection. */
  record End(CompletionQueue cq, QueuePair qp, MemoryRegion mr) {}

  /** Two connected queue pairs of the device. */
  final class Pair implements AutoCloseable {
    final CompletionChannel channel = context.createCompChannel();
    final End left;
    final End right;

    Pair() {
      this(OPS);
    }

    Pair(int sendOps) {
      left = end(null, sendOps);
      right = end(channel, sendOps);
      var a = left.qp().endpoint();
      var b = right.qp().endpoint();
      left.qp().connect(b, ALL);
      right.qp().connect(a, ALL);
    }

    private End end(CompletionChannel events, int sendOps) {
      CompletionQueue cq = context.createCq(64, null, events, 0);
      return new End(cq, pd.createQp(QpInitAttr.rc(cq).sendOps(sendOps)), pd.allocMr(4096, ALL));
    }

    void put(String text) {
      left.mr().memory().setString(0, text);
    }

    /** A WRITE of the first 8 bytes of the left's memory. */
    SendWr request(int rkey, long addr) {
      return new SendWr()
          .opcode(WrOpcode.RDMA_WRITE)
          .sendFlags(SendFlags.SIGNALED)
          .sgList(left.mr().sge(8, 0))
          .remoteAddr(addr)
          .rkey(rkey);
    }

    /** Posts it, and returns how it ends. */
    WcStatus write(int rkey, long addr) {
      left.qp().postSend(request(rkey, addr));
      return await(left.cq()).status();
    }

    @Override
    public void close() {
      left.qp().close();
      right.qp().close();
    }
  }
}
