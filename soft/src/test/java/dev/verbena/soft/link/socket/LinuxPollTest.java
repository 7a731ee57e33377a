package dev.verbena.soft.link.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.link.Endpoint;
import dev.verbena.soft.link.Gids;
import dev.verbena.verbs.Gid;
import java.lang.foreign.Arena;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "makes system calls of Linux")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LinuxPollTest {

  @Test
  void afterARefusedSendAWaitEndsWhenTheSocketTakesDataAgain() {
    Gid address = Endpoint.unused();
    LinuxSocket socket = LinuxSocket.open(LocalAddress.of(Gids.address(address)));
    LinuxPoll poll = new LinuxPoll(Arena.ofAuto(), socket.fd(), address.toString());
    poll.watchForRoom();
    // The engine may have been parked without watching for room: the first wait ends at once.
    poll.await(Long.MAX_VALUE);
    // This one ends because the socket takes data.
    poll.await(Long.MAX_VALUE);
    long start = System.nanoTime();
    poll.await(Duration.ofMillis(20).toNanos());
    assertThat(System.nanoTime() - start)
        .as("room is not watched for any more")
        .isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
    poll.close();
    poll.wake();
    socket.close();
  }
}
