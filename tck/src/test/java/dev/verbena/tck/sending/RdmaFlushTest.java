package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refusal;
import dev.verbena.tck.kit.links.OnEveryLink;
import dev.verbena.tck.kit.links.OnEveryLinkAndApi;
import dev.verbena.tck.kit.links.PostingApi;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.tck.kit.pairs.PairSetup;
import dev.verbena.tck.kit.pairs.QpEnd;
import dev.verbena.tck.kit.pairs.QpPair;
import dev.verbena.tck.kit.pairs.SendWrs;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.FlushType;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.ReregFlags;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;

/** The FLUSH operation: makes earlier WRITEs visible, or persistent (S5.4.5). */
final class RdmaFlushTest {
  private static final int BOTH = FlushType.GLOBAL | FlushType.PERSISTENT;
  private static final int FILE_BYTES = 16 << 10;

  @TempDir private Path folder;

  /** All remote rights that queue pairs and memory can have. */
  private static int rights(TckLink link) {
    int persistent = link.makesMemoryPersistent() ? Access.FLUSH_PERSISTENT : 0;
    return PairSetup.REMOTE_ALL | Access.FLUSH_GLOBAL | persistent;
  }

  /** These types of FLUSH, but for those that the link's memory cannot have. */
  private static int[] types(TckLink link, int... types) {
    boolean all = link.makesMemoryPersistent();
    return Arrays.stream(types).filter(type -> all || type == FlushType.GLOBAL).toArray();
  }

  private static PairSetup setup(TckLink link) {
    return PairSetup.on(link)
        .sendOps(PairSetup.RC_OPS, SendOps.FLUSH)
        .qpAccess(rights(link))
        .mrAccess(Access.LOCAL_WRITE, rights(link));
  }

  private static SendWr flush(long wrId, MemoryRegion target, int type, FlushLevel level) {
    return new SendWr()
        .wrId(wrId)
        .opcode(WrOpcode.FLUSH)
        .sendFlags(SendFlags.SIGNALED)
        .rkey(target.rkey())
        .remoteAddr(target.addr())
        .flushLength(target.length())
        .flushType(type)
        .flushLevel(level);
  }

  /** A region of mapped memory at this end, which lives as long as its arena. */
  private MemoryRegion mapped(QpEnd end, Arena arena, int rights) throws IOException {
    Path path = Files.createTempFile(folder, "region", null);
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment memory = file.map(MapMode.READ_WRITE, 0, FILE_BYTES, arena);
      return end.pd().regMr(memory, Access.LOCAL_WRITE, rights);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"WR-013", "WR-065", "S1.1/FLUSH", "S2.18", "S5.4.5", "S1.5.4"})
  void whatWasWrittenBeforeIsVisibleWhenItCompletes(TckLink link, PostingApi api)
      throws IOException {
    try (Arena arena = Arena.ofShared();
        QpPair pair = setup(link).open()) {
      QpEnd left = pair.left();
      MemoryRegion file = mapped(pair.right(), arena, rights(link));
      int type = link.makesMemoryPersistent() ? BOTH : FlushType.GLOBAL;
      for (FlushLevel level : FlushLevel.values()) {
        byte[] data = left.fill(0, FILE_BYTES, level.number());
        SendWr write =
            SendWrs.write(1, pair.right(), 0, left.sge(0, FILE_BYTES))
                .rkey(file.rkey())
                .remoteAddr(file.addr())
                .sendFlags(0);
        api.post(left.qp(), SendWrs.list(write, flush(2, file, type, level)));
        assertThat(left.sent(2).opcode()).isEqualTo(WcOpcode.FLUSH);
        assertThat(file.memory().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(data);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S2.18", "S5.4.5"})
  void visibilityNeedsNoFile(TckLink link, PostingApi api) {
    try (QpPair pair = setup(link).open()) {
      QpEnd left = pair.left();
      MemoryRegion target = pair.right().mr();
      for (FlushLevel level : FlushLevel.values()) {
        for (int i = 0; i < 20; i++) {
          api.post(left.qp(), flush(i, target, FlushType.GLOBAL, level));
        }
        for (int i = 0; i < 20; i++) {
          left.sent(i);
        }
      }
      // For a whole region, address and length do not count.
      SendWr anywhere = flush(3, target, FlushType.GLOBAL, FlushLevel.MR);
      for (long length : new long[] {0xffff_ffffL, 1L << 32, -1}) {
        api.post(left.qp(), anywhere.remoteAddr(-1).flushLength(length));
        left.sent(3);
      }
      api.post(left.qp(), flush(4, target, FlushType.GLOBAL, FlushLevel.RANGE).flushLength(0));
      left.sent(4);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.4.5")
  void otherMemoryCannotBecomePersistent(TckLink link, PostingApi api) {
    assumeTrue(link.makesMemoryPersistent(), "no memory is persistent here");
    for (FlushLevel level : FlushLevel.values()) {
      try (QpPair pair = setup(link).open()) {
        api.post(pair.left().qp(), flush(1, pair.right().mr(), FlushType.PERSISTENT, level));
        pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
        pair.right().awaitState(QpState.ERR);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S5.4.5", "S5.2.2"})
  void theRegionMustAllowIt(TckLink link, PostingApi api) throws IOException {
    for (int type : types(link, FlushType.GLOBAL, FlushType.PERSISTENT, BOTH)) {
      int right = type == FlushType.GLOBAL ? Access.FLUSH_GLOBAL : Access.FLUSH_PERSISTENT;
      try (Arena arena = Arena.ofShared();
          QpPair pair = setup(link).open()) {
        int allowed = rights(link) & ~right;
        // The kernel's soft-RoCE does not register again.
        boolean again = !TckLink.areDevicesOfOthers();
        MemoryRegion file = mapped(pair.right(), arena, again ? rights(link) : allowed);
        if (again) {
          file.rereg(ReregFlags.CHANGE_ACCESS, null, null, Access.LOCAL_WRITE | allowed);
        }
        api.post(pair.left().qp(), flush(1, file, type, FlushLevel.MR));
        pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S5.4.5")
  void aRangeBeyondTheRegionIsRefused(TckLink link, PostingApi api) {
    try (QpPair pair = setup(link).open()) {
      MemoryRegion target = pair.right().mr();
      SendWr wr = flush(1, target, FlushType.GLOBAL, FlushLevel.RANGE);
      api.post(pair.left().qp(), wr.flushLength(target.length() + 1));
      pair.left().awaitSend(1, WcStatus.REM_ACCESS_ERR);
    }
  }

  @OnEveryLinkAndApi
  @Proves("S4.4.2")
  void theQueuePairMustAllowIt(TckLink link, PostingApi api) throws IOException {
    for (int type : types(link, FlushType.GLOBAL, FlushType.PERSISTENT)) {
      int right = type == FlushType.GLOBAL ? Access.FLUSH_GLOBAL : Access.FLUSH_PERSISTENT;
      try (Arena arena = Arena.ofShared();
          QpPair pair = setup(link).qpAccess(rights(link) & ~right).open()) {
        MemoryRegion file = mapped(pair.right(), arena, rights(link));
        api.post(pair.left().qp(), flush(1, file, type, FlushLevel.MR));
        pair.left().awaitSend(1, WcStatus.REM_INV_REQ_ERR);
        pair.right().awaitState(QpState.ERR);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves("S2.18")
  void typeLevelAndLengthMustExist(TckLink link, PostingApi api) {
    assumeTrue(api != PostingApi.POST_SEND || link.postsEveryOperation(), "in batches only");
    try (QpPair pair = setup(link).open()) {
      QueuePairEx qp = pair.left().qp();
      MemoryRegion target = pair.right().mr();
      for (int type : new int[] {0, 4, 5, -1}) {
        Refusal.with(Errno.EINVAL, () -> api.post(qp, flush(1, target, type, FlushLevel.MR)));
      }
      SendWr long33Bits =
          flush(1, target, FlushType.GLOBAL, FlushLevel.RANGE).flushLength(1L << 32);
      Refusal.with(Errno.EINVAL, () -> api.post(qp, long33Bits));
      Refusal.with(Errno.EINVAL, () -> api.post(qp, long33Bits.flushLength(-1)));
      api.post(qp, flush(7, target, FlushType.GLOBAL, FlushLevel.MR));
      pair.left().sent(7);
    }
  }

  @OnEveryLink
  @Proves("S2.10")
  void aDataSetterAfterItChangesNothing(TckLink link) {
    try (QpPair pair = setup(link).open()) {
      QueuePairEx qp = pair.left().qp();
      MemoryRegion target = pair.right().mr();
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrFlush(target.rkey(), target.addr(), target.length(), FlushType.GLOBAL, FlushLevel.RANGE);
      qp.wrSetSge(0x1234, 0, 100);
      qp.wrComplete();
      pair.left().sent(1);
    }
  }
}
