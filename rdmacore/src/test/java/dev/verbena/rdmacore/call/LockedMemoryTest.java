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
    assertThat(LockedMemory.advice(Errno.ENOMEM, limits))
        .isEqualTo(
            "; if that is because of the limit of locked memory, which for this process is 65536"
                + " bytes: raise ulimit -l (RLIMIT_MEMLOCK), or give it CAP_IPC_LOCK");
  }

  @Test
  void whereThereIsNoLimitItIsNotBlamed() {
    List<String> limits =
        List.of(
            HEAD, "Max locked memory         unlimited            unlimited            bytes     ");
    assertThat(LockedMemory.advice(Errno.ENOMEM, limits))
        .contains("is unlimited")
        .doesNotContain("raise");
  }

  @Test
  void whereTheKernelDoesNotSayTheUserIsAsked() {
    assertThat(LockedMemory.advice(Errno.ENOMEM, List.of(HEAD))).endsWith("?");
  }

  @Test
  void aLimitOfNothingIsToldByAnotherError() {
    String line = "Max locked memory         %s                    unlimited            bytes     ";
    assertThat(LockedMemory.advice(Errno.EPERM, List.of(HEAD, line.formatted("0"))))
        .contains("is 0 bytes: raise ulimit -l");
    assertThat(LockedMemory.advice(Errno.EPERM, List.of(HEAD, line.formatted("65536")))).isEmpty();
    assertThat(LockedMemory.advice(Errno.EPERM, List.of(HEAD))).isEmpty();
  }

  @Test
  void onlyWhatHasMemoryLockedNamesTheLimitIfItLacksMemory() {
    Answer full = new Answer("ibv_create_cq", 0, Errno.ENOMEM).locking();
    assertThatThrownBy(() -> full.pointer("createCq", "4096 entries"))
        .hasMessageContaining("ibv_create_cq refuses 4096 entries; ")
        .hasMessageContaining("ulimit -l (RLIMIT_MEMLOCK)");
    Answer other = new Answer("ibv_create_cq", 0, Errno.EINVAL).locking();
    assertThatThrownBy(() -> other.pointer("createCq", "4096 entries"))
        .hasMessageNotContaining("ulimit");
    Answer pd = new Answer("ibv_alloc_pd", 0, Errno.ENOMEM);
    assertThatThrownBy(() -> pd.pointer("allocPd", "another domain"))
        .hasMessageNotContaining("ulimit");
  }
}
