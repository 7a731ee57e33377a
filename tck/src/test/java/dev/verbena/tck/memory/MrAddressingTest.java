package dev.verbena.tck.memory;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;
import static dev.verbena.verbs.Access.ZERO_BASED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The addresses by which local and remote requests reach a region: S5.1.3, S5.1.5. */
final class MrAddressingTest {
  private static final int SIZE = 4096;
  private static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ;

  /** The ways to register. */
  enum Way {
    PLAIN {
      @Override
      MemoryRegion register(ProtectionDomain pd, MemorySegment memory) {
        return pd.regMr(memory, ALL);
      }

      @Override
      long base(MemorySegment memory) {
        return memory.address();
      }
    },
    ZERO {
      @Override
      MemoryRegion register(ProtectionDomain pd, MemorySegment memory) {
        return pd.regMr(memory, ALL, ZERO_BASED);
      }

      @Override
      long base(MemorySegment memory) {
        return 0;
      }
    },
    IOVA {
      @Override
      MemoryRegion register(ProtectionDomain pd, MemorySegment memory) {
        return pd.regMrIova(memory, HIGH, ALL);
      }

      @Override
      long base(MemorySegment memory) {
        return HIGH;
      }
    },
    IOVA_ZERO {
      @Override
      MemoryRegion register(ProtectionDomain pd, MemorySegment memory) {
        return pd.regMrIova(memory, 0, ALL);
      }

      @Override
      long base(MemorySegment memory) {
        return 0;
      }
    };

    private static final long HIGH = 0xffff_8000_1234_5000L;

    abstract MemoryRegion register(ProtectionDomain pd, MemorySegment memory);

    abstract long base(MemorySegment memory);
  }

  @ParameterizedTest
  @EnumSource
  @Proves("S5.1.3")
  void requestsReachTheBytesThatTheirAddressesName(Way way) {
    for (TckLink link : TckLink.selected()) {
      try (Arena arena = Arena.ofShared();
          QpPair pair = QpPair.open(link)) {
        QpEnd left = pair.left();
        MemorySegment here = arena.allocate(SIZE);
        MemorySegment there = arena.allocate(SIZE);
        MemoryRegion source = way.register(left.pd(), here);
        MemoryRegion target = way.register(pair.right().pd(), there);
        assertThat(source.addr()).isEqualTo(way.base(here));
        assertThat(target.addr()).isEqualTo(way.base(there));
        byte[] data = new byte[SIZE];
        new Random(SIZE).nextBytes(data);
        MemorySegment.copy(data, 0, here, ValueLayout.JAVA_BYTE, 0, SIZE);

        long from = way.base(here) + 100;
        long to = way.base(there) + 1000;
        left.qp().postSend(write(pair, new Sge(from, 3000, source.lkey()), target, to));
        left.sent(1);
        assertThat(there.asSlice(1000, 3000).mismatch(here.asSlice(100, 3000))).isEqualTo(-1);
        assertThat(there.asSlice(0, 1000).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);

        long last = way.base(there) + SIZE - 1;
        left.qp().postSend(write(pair, new Sge(from, 1, source.lkey()), target, last));
        left.sent(1);
        assertThat(there.get(ValueLayout.JAVA_BYTE, SIZE - 1)).isEqualTo(data[100]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @Proves("S5.1.3")
  void oneByteOutsideOnEitherSideIsRefused(Way way) {
    for (TckLink link : TckLink.selected()) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment memory = arena.allocate(SIZE);
        long base = way.base(memory);
        for (long outside : new long[] {base - 1, base + SIZE - 63, base + SIZE, base - 64}) {
          try (QpPair pair = QpPair.open(link)) {
            MemoryRegion target = way.register(pair.right().pd(), memory);
            pair.left().qp().postSend(write(pair, pair.left().sge(0, 64), target, outside));
            pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
          }
          try (QpPair pair = QpPair.open(link)) {
            MemoryRegion source = way.register(pair.left().pd(), memory);
            Sge bad = new Sge(outside, 64, source.lkey());
            pair.left().qp().postSend(SendWrs.write(1, pair.right(), 0, bad));
            pair.left().awaitSend(1, WcStatus.LOC_PROT_ERR);
          }
        }
        assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
      }
    }
  }

  @OnEveryLink
  @Proves("S5.1.5")
  void overlappingRegionsAreIndependent(TckLink link) {
    try (QpPair pair = QpPair.open(link)) {
      QpEnd left = pair.left();
      QpEnd right = pair.right();
      MemoryRegion first = right.pd().regMr(right.mr().memory().asSlice(0, 2048), ALL);
      MemoryRegion second = right.pd().regMr(right.mr().memory().asSlice(1024, 2048), ALL);
      byte[] data = left.fill(0, 512, 9);
      long shared = right.addr(1024);

      left.qp().postSend(write(pair, left.sge(0, 512), first, shared));
      left.sent(1);
      assertThat(right.bytes(1024, 512)).isEqualTo(data);

      first.dereg();
      byte[] more = left.fill(0, 512, 10);
      left.qp().postSend(write(pair, left.sge(0, 512), second, shared));
      left.sent(1);
      assertThat(right.bytes(1024, 512)).isEqualTo(more);

      left.qp().postSend(write(pair, left.sge(0, 512), second, right.addr(512)));
      left.awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }

  private static SendWr write(QpPair pair, Sge data, MemoryRegion target, long to) {
    return SendWrs.write(1, pair.right(), 0, data).rkey(target.rkey()).remoteAddr(to);
  }
}
