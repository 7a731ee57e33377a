package dev.verbena.soft.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProcessorsTest {
  static Stream<Arguments> texts() {
    return Stream.of(
        arguments("0.20 0.18 0.12 1/80 11206\n", 1),
        arguments("12.20 10.18 8.12 17/1080 11206\n", 17),
        arguments("no such line", 0),
        arguments("", 0));
  }

  @ParameterizedTest
  @MethodSource("texts")
  void theNumberOfRunningThreadsIsBeforeTheSlash(String text, int running) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    assertThat(Processors.running(bytes, bytes.length)).isEqualTo(running);
  }

  @Test
  void anEmptyAnswerTellsNothing() {
    assertThat(Processors.running(new byte[4], -1)).isZero();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void thereIsNoRoomIfMoreThreadsWantToRunThanThereAreProcessors() throws InterruptedException {
    CountDownLatch spinning = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  spinning.countDown();
                  while (end.getCount() > 0) {
                    Thread.onSpinWait();
                  }
                });
    try (Processors one = new Processors(1);
        Processors many = new Processors(1 << 20)) {
      spinning.await();
      // This thread and the other want to run.
      assertThat(one.haveRoom(0)).isFalse();
      assertThat(many.haveRoom(0)).isTrue();
    } finally {
      end.countDown();
      other.join();
    }
  }
}
