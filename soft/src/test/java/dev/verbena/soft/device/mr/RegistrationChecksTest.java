package dev.verbena.soft.device.mr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.verbena.soft.device.BareAddressNative;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.RegistrationRules;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class RegistrationChecksTest {

  @Test
  void optionalRightsAreDroppedWithoutAWord() {
    int asked = Access.LOCAL_WRITE | Access.RELAXED_ORDERING | 1 << 29;
    assertThat(RegistrationChecks.access("regMr", asked)).isEqualTo(Access.LOCAL_WRITE);
  }

  @Test
  void rightsToFlushAreTaken() {
    int asked = Access.FLUSH_GLOBAL | Access.FLUSH_PERSISTENT;
    assertThat(RegistrationChecks.access("regMr", asked)).isEqualTo(asked);
  }

  @Test
  void rightsAreRefusedWithTheErrorNumberOfTheRule() {
    assertThat(errno(Access.REMOTE_WRITE)).isEqualTo(Errno.EINVAL);
    assertThat(errno(Access.REMOTE_ATOMIC)).isEqualTo(Errno.EINVAL);
    assertThat(errno(Access.HUGETLB)).isEqualTo(Errno.EINVAL);
    assertThat(errno(1 << 12)).isEqualTo(Errno.EINVAL);
    assertThat(errno(Access.ON_DEMAND)).isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  void memoryOfAnyThreadIsTaken() {
    try (Arena shared = Arena.ofShared()) {
      accept(shared.allocate(8), Access.LOCAL_WRITE);
      accept(Arena.ofAuto().allocate(8), Access.LOCAL_WRITE);
      accept(Arena.global().allocate(8), Access.LOCAL_WRITE);
      accept(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(8)), Access.LOCAL_WRITE);
      accept(shared.allocate(8).asReadOnly(), Access.REMOTE_READ);
    }
  }

  @Test
  void memoryThatIsNotThereIsRefused() throws IOException {
    // Linux maps nothing at the first addresses.
    assertGone(BareAddressNative.at(4096, 4096));
    assertGone(BareAddressNative.at(4097, 1));
    try (Arena shared = Arena.ofShared()) {
      MemorySegment memory = shared.allocate(100_001);
      accept(memory.asSlice(1, 100_000), Access.LOCAL_WRITE);
      assertGone(BareAddressNative.at(memory.address(), 1L << 46));
    }
    // Nor does a check of much memory touch it.
    try (FileChannel file =
            FileChannel.open(
                Files.createTempFile("sparse", null),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        Arena shared = Arena.ofShared()) {
      accept(file.map(FileChannel.MapMode.READ_WRITE, 0, 64L << 30, shared), Access.LOCAL_WRITE);
    }
  }

  private static void assertGone(MemorySegment memory) {
    assertThatThrownBy(() -> RegistrationChecks.memory("regMr", memory, Access.LOCAL_WRITE))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EFAULT))
        .hasMessageContaining("no memory");
  }

  @Test
  void otherMemoryIsRefusedWithAdvice() {
    refuse(MemorySegment.ofArray(new byte[8]), 0, "heap", "allocMr");
    try (Arena confined = Arena.ofConfined()) {
      refuse(confined.allocate(8), 0, "confined", "Arena.ofShared()");
    }
    MemorySegment gone;
    try (Arena shared = Arena.ofShared()) {
      gone = shared.allocate(8);
      refuse(gone.asReadOnly(), Access.LOCAL_WRITE, "read-only", "0x1");
      refuse(gone.asSlice(0, 0), 0, "no bytes", "reinterpret");
    }
    refuse(gone, 0, "arena", "closed");
  }

  @Test
  void addressesOfTheCallersChoiceMustNotWrap() {
    assertThatCode(() -> RegistrationRules.iova("regMrIova", -8, 8, 0)).doesNotThrowAnyException();
    assertThatThrownBy(() -> RegistrationRules.iova("regMrIova", -8, 9, 0))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("fffffffffffffff8");
    assertThatThrownBy(() -> RegistrationRules.iova("regMrIova", 1, 8, Access.ZERO_BASED))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("ZERO_BASED");
  }

  private static int errno(int access) {
    try {
      RegistrationChecks.access("regMr", access);
    } catch (VerbsException e) {
      return e.errno();
    }
    throw new AssertionError("0x" + Integer.toHexString(access) + " was granted");
  }

  private static void accept(MemorySegment memory, int access) {
    assertThatCode(() -> RegistrationChecks.memory("regMr", memory, access))
        .doesNotThrowAnyException();
  }

  private static void refuse(MemorySegment memory, int access, String... words) {
    assertThatThrownBy(() -> RegistrationChecks.memory("regMr", memory, access))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContainingAll(words);
  }
}
