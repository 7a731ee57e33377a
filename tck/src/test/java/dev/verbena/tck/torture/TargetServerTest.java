package dev.verbena.tck.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.verbs.DeviceSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link TargetServer}. */
final class TargetServerTest {
  private static final int ROUNDS = 20;
  private static final int CALLERS = 16;
  private static final long PATIENCE_NANOS = 20_000_000_000L;

  @Test
  void whoeverHangsUpIsHungUpOnAtWhateverMomentItWas() throws Exception {
    try (TargetServer server = TargetServer.open(DeviceSpec.parse("soft:new"), 0)) {
      for (int round = 0; round < ROUNDS; round++) {
        List<SocketChannel> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          callers.add(SocketChannel.open(address(server)));
          server.act();
        }
        List<SocketChannel> waiting = new ArrayList<>(callers);
        Thread leaving = Thread.ofPlatform().daemon().start(() -> leave(callers));
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (leaving.isAlive() || !waiting.isEmpty()) {
          server.act();
          if (!leaving.isAlive()) {
            waiting.removeIf(TargetServerTest::isHungUp);
          }
          assertThat(System.nanoTime()).as("%s still have a line", waiting.size()).isLessThan(end);
        }
        for (SocketChannel caller : callers) {
          caller.close();
        }
      }
    }
  }

  private static InetSocketAddress address(TargetServer server) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  /** Hangs up, but can still hear. */
  private static void leave(List<SocketChannel> callers) {
    try {
      for (SocketChannel caller : callers) {
        caller.shutdownOutput();
        caller.configureBlocking(false);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isHungUp(SocketChannel caller) {
    try {
      return caller.read(ByteBuffer.allocate(1)) < 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
