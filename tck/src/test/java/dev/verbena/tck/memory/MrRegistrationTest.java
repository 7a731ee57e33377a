package dev.verbena.tck.memory;

import static dev.verbena.verbs.Access.HUGETLB;
import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.MW_BIND;
import static dev.verbena.verbs.Access.ON_DEMAND;
import static dev.verbena.verbs.Access.OPTIONAL_RANGE;
import static dev.verbena.verbs.Access.REMOTE_ATOMIC;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;
import static dev.verbena.verbs.Access.ZERO_BASED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Registering memory with various rights: S5.1.1, S5.1.2, S5.1.5. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MrRegistrationTest {
  private static final MemorySegment MEMORY = Arena.global().allocate(8192, 4096);

  private final Context context = Devices.open(TckLink.selected().getFirst().device());
  private final ProtectionDomain pd = context.allocPd();

  @AfterAll
  void closeContext() {
    context.close();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        REMOTE_WRITE,
        REMOTE_ATOMIC,
        REMOTE_WRITE | REMOTE_READ,
        REMOTE_ATOMIC | REMOTE_READ,
        REMOTE_WRITE | REMOTE_ATOMIC | ZERO_BASED
      })
  @Proves("S5.1.1")
  void remoteWritesAndAtomicsNeedLocalWrite(int access) {
    Refused.of(() -> pd.regMr(MEMORY, access), Errno.EINVAL).from("regMr").naming("LOCAL_WRITE");
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        LOCAL_WRITE,
        REMOTE_READ,
        ZERO_BASED,
        LOCAL_WRITE | REMOTE_WRITE,
        LOCAL_WRITE | REMOTE_ATOMIC,
        LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC | ZERO_BASED
      })
  @Proves("S5.1.1")
  void otherCombinationsAreGrantedAndTold(int access) {
    try (MemoryRegion mr = pd.regMr(MEMORY, access)) {
      assertThat(mr.access()).isEqualTo(access);
    }
  }

  @Test
  @Proves({"S5.1.1", "S0.7"})
  void unsupportedOptionalRightsAreDroppedSilently() {
    try (MemoryRegion mr = pd.regMr(MEMORY, LOCAL_WRITE, OPTIONAL_RANGE)) {
      assertThat(mr.access() & ~OPTIONAL_RANGE).isEqualTo(LOCAL_WRITE);
    }
  }

  @Test
  @Proves("S5.1.1")
  void unknownRightsAreRefused() {
    for (int bit = 0; bit < 32; bit++) {
      boolean known = bit < 10 || (OPTIONAL_RANGE & 1 << bit) != 0;
      if (!known) {
        int access = 1 << bit;
        Refused.of(() -> pd.regMr(MEMORY, access), Errno.EINVAL, Errno.EOPNOTSUPP);
      }
    }
  }

  @Test
  @Proves("S5.1.1")
  void onDemandPagingIsGrantedOnlyWhereTheDeviceHasIt() {
    if (context.queryDeviceEx().odpCaps().generalCaps() == 0) {
      Refused.of(() -> pd.regMr(MEMORY, LOCAL_WRITE, ON_DEMAND), Errno.EOPNOTSUPP)
          .naming("ON_DEMAND");
    } else {
      pd.regMr(MEMORY, LOCAL_WRITE, ON_DEMAND).close();
    }
    Refused.of(() -> pd.regMr(MEMORY, HUGETLB), Errno.EINVAL, Errno.EOPNOTSUPP);
  }

  @Test
  @Proves("S5.1.1")
  void windowsMayBeAllowedWhereTheDeviceHasThem() {
    if (context.queryDevice().maxMw() > 0) {
      pd.regMr(MEMORY, LOCAL_WRITE, MW_BIND, ZERO_BASED).close();
    } else {
      try {
        pd.regMr(MEMORY, LOCAL_WRITE, MW_BIND).close();
      } catch (VerbsException refusal) {
        assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
      }
    }
  }

  @Test
  @Proves("S5.1.2")
  void aRegionTellsWhatWasRegistered() {
    MemorySegment part = MEMORY.asSlice(100, 5000);
    try (MemoryRegion mr = pd.regMr(part, LOCAL_WRITE)) {
      assertThat(mr.addr()).isEqualTo(part.address());
      assertThat(mr.length()).isEqualTo(5000);
      assertThat(mr.memory()).isEqualTo(part);
      assertThat(mr.pd()).isSameAs(pd);
      assertThat(mr.context()).isSameAs(context);
      assertThat(mr.sge())
          .extracting(Sge::addr, Sge::length, Sge::lkey)
          .containsExactly(part.address(), 5000L, mr.lkey());
      assertThat(mr.isClosed()).isFalse();
    }
  }

  @Test
  @Proves({"S5.1.2", "S5.1.5"})
  void keysOfLiveRegionsAreUniqueAndNeverZeroEvenForTheSameMemory() {
    Set<Integer> lkeys = new HashSet<>();
    Set<Integer> rkeys = new HashSet<>();
    try (Context another = Devices.open(context.device().spec());
        ProtectionDomain anotherPd = another.allocPd();
        ProtectionDomain mine = context.allocPd()) {
      for (int i = 0; i < 300; i++) {
        MemoryRegion mr = (i % 2 == 0 ? mine : anotherPd).regMr(MEMORY, LOCAL_WRITE, REMOTE_WRITE);
        assertThat(mr.lkey()).isNotZero();
        assertThat(mr.rkey()).isNotZero();
        assertThat(lkeys.add(mr.lkey())).as("lkey 0x%x is new", mr.lkey()).isTrue();
        assertThat(rkeys.add(mr.rkey())).as("rkey 0x%x is new", mr.rkey()).isTrue();
      }
    }
  }

  @Test
  @Proves("S5.1.2")
  void aRegionOfNoBytesIsRefusedOrEmpty() {
    try (MemoryRegion mr = pd.regMr(MEMORY.asSlice(0, 0), LOCAL_WRITE)) {
      assertThat(mr.length()).isZero();
    } catch (VerbsException refusal) {
      assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    }
  }

  @Test
  void allocatedMemoryIsZeroedAlignedAndOfTheLengthAskedFor() {
    try (MemoryRegion mr = pd.allocMr(5000, LOCAL_WRITE)) {
      assertThat(mr.length()).isEqualTo(5000);
      assertThat(mr.memory().byteSize()).isEqualTo(5000);
      assertThat(mr.addr() % 4096).isZero();
      assertThat(mr.memory().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }
  }

  @Test
  void memoryOfAConfinedArenaIsRefusedWithAnAlternative() {
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment memory = confined.allocate(4096);
      Refused.of(() -> pd.regMr(memory, LOCAL_WRITE), Errno.EINVAL)
          .from("regMr")
          .naming("confined", "shared");
    }
  }

  @Test
  void memoryOnTheHeapIsRefusedWithAnAlternative() {
    MemorySegment memory = MemorySegment.ofArray(new byte[4096]);
    Refused refusal = Refused.of(() -> pd.regMr(memory, LOCAL_WRITE), Errno.EINVAL);
    refusal.from("regMr").naming("heap");
    assertThat(refusal.exception().getMessage()).containsAnyOf("allocMr", "native", "Arena");
    Refused.of(() -> pd.regMr(ByteBuffer.allocate(64), LOCAL_WRITE), Errno.EINVAL).naming("heap");
  }

  @Test
  void readOnlyMemoryIsRegisteredOnlyWithoutWriteRights() {
    MemorySegment memory = MEMORY.asReadOnly();
    Refused.of(() -> pd.regMr(memory, LOCAL_WRITE), Errno.EINVAL).naming("read-only");
    pd.regMr(memory, REMOTE_READ).close();
  }

  @Test
  void memoryOfAClosedArenaIsRefused() {
    Arena arena = Arena.ofShared();
    MemorySegment memory = arena.allocate(4096);
    arena.close();
    Refused.of(() -> pd.regMr(memory, LOCAL_WRITE), Errno.EINVAL).naming("closed");
  }

  @Test
  void aDirectBufferIsRegisteredFromPositionToLimit() {
    ByteBuffer buffer = ByteBuffer.allocateDirect(256).position(16).limit(80);
    try (MemoryRegion mr = pd.regMr(buffer, LOCAL_WRITE)) {
      assertThat(mr.length()).isEqualTo(64);
      assertThat(mr.addr()).isEqualTo(MemorySegment.ofBuffer(buffer).address());
    }
  }

  @Test
  void aPieceOutsideTheRegionIsNoElement() {
    try (MemoryRegion mr = pd.regMr(MEMORY, LOCAL_WRITE)) {
      Refused.of(() -> mr.sge(1, 8192), Errno.EINVAL).naming("8192");
      Refused.of(() -> mr.sge(8193, 0), Errno.EINVAL).naming("8193");
      assertThat(mr.sge(0, 8192).length()).isZero();
    }
  }
}
