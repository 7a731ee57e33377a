package dev.verbena.rdmacore.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.rdmacore.call.Answer;
import dev.verbena.rdmacore.call.Libibverbs;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.ForkStatus;
import dev.verbena.verbs.VerbsException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ForkTest {
  @Test
  void whoCallsItTooLateLearnsWhenToCallIt() {
    assertThatThrownBy(() -> Fork.require(new Answer("ibv_fork_init", Errno.EINVAL, 0)))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining("forkInit")
        .hasMessageContaining("before anything else")
        .hasMessageContaining("IBV_FORK_SAFE=1");
  }

  @Test
  void aKernelThatCannotIsNamed() {
    assertThatThrownBy(() -> Fork.require(new Answer("ibv_fork_init", Errno.ENOSYS, 0)))
        .hasMessageContaining("MADV_DONTFORK");
    assertThatThrownBy(() -> Fork.require(new Answer("ibv_fork_init", Errno.ENOMEM, 0)))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
        .hasMessageContaining("ibv_fork_init fails");
    assertThatCode(() -> Fork.require(new Answer("ibv_fork_init", 0, 0)))
        .doesNotThrowAnyException();
  }

  @Test
  void withoutADeviceAForkTakesNothingFromIt() {
    assumeTrue(Libibverbs.kernelDevices().isEmpty(), "this computer has an adapter");
    assertThat(new RdmacoreProvider().isForkInitialized()).isEqualTo(ForkStatus.UNNEEDED);
  }

  @Test
  void theLibraryIsPreparedBeforeThereIsADevice() {
    assumeTrue(Libibverbs.isAvailable(), "libibverbs is not installed here");
    new RdmacoreProvider().forkInit();
    assertThat(Fork.status()).isIn(ForkStatus.ENABLED, ForkStatus.UNNEEDED);
  }

  @Test
  void theEnvironmentCountsBeforeAnyDeviceIsLookedFor() throws Exception {
    assumeTrue(Libibverbs.isAvailable(), "libibverbs is not installed here");
    assertThat(StatusProgram.run(Map.of("IBV_FORK_SAFE", "1")))
        .containsAnyOf("ENABLED", "UNNEEDED");
  }
}
