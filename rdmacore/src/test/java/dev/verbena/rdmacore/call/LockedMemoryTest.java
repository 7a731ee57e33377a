package dev.verbena.rdmacore.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.verbs.Errno;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LockedMemoryTest {
  private static final String HEAD =
      "Limit                     Soft Limit           Hard Limit           Units     ";

  @Test
  void theLimitIsNamedWithItsCure() {
    List<String> limits =
        List.of(
            HEAD, "Max locked memory         65536                65536                bytes     ");
    assertThat(LockedMemory.advice(limits))
        .isEqualTo(
            "; without CAP_IPC_LOCK this user may lock 65536 bytes: raise ulimit -l"
                + " (RLIMIT_MEMLOCK)");
  }

  @Test
  void whereThereIsNoLimitItIsNotBlamed() {
    List<String> limits =
        List.of(
            HEAD, "Max locked memory         unlimited            unlimited            bytes     ");
    assertThat(LockedMemory.advice(limits)).contains("is unlimited").doesNotContain("raise");
  }

  @Test
  void whereTheKernelDoesNotSayTheUserIsAsked() {
    assertThat(LockedMemory.advice(List.of(HEAD))).endsWith("?");
  }

  /** Queues are locked like registered memory. */
  @Test
  void whateverIsRefusedForLackOfMemoryNamesTheLimit() {
    Answer full = new Answer("ibv_create_cq", 0, Errno.ENOMEM);
    assertThatThrownBy(() -> full.pointer("createCq", "4096 entries"))
        .hasMessageContaining("ibv_create_cq refuses 4096 entries; ")
        .hasMessageContaining("ulimit -l (RLIMIT_MEMLOCK)");
    Answer other = new Answer("ibv_create_cq", 0, Errno.EINVAL);
    assertThatThrownBy(() -> other.pointer("createCq", "4096 entries"))
        .hasMessageNotContaining("ulimit");
  }
}
