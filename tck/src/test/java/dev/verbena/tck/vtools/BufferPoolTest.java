package dev.verbena.tck.vtools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.verbena.proofs.Proves;
import dev.verbena.tck.kit.Refused;
import dev.verbena.tck.kit.links.TckLink;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.RecvTarget;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.BufferPool;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The buffers of a pool: their ownership, content and requests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BufferPoolTest {
  private final Context context = Devices.open(TckLink.selected().getFirst().device());
  private final ProtectionDomain pd = context.allocPd();

  @AfterAll
  void closeContext() {
    context.close();
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "2, 4", "3, 4", "4, 8", "63, 64", "64, 128", "100, 128", "1000, 1024"})
  @Proves({"PY-083", "PY-084", "PY-085", "PY-089", "PY-096"})
  void theFlagOfReceivesIsTheNextPowerOfTwo(int count, long flag) {
    try (BufferPool pool = new BufferPool(pd, count, 16)) {
      assertThat(pool.count()).isEqualTo(count);
      assertThat(pool.size()).isEqualTo(16);
      assertThat(pool.recvFlag()).isEqualTo(flag);
      assertThat(pool.bufIdMask()).isEqualTo(flag - 1);
      for (int i = 0; i < count; i++) {
        assertThat((i | flag) & pool.bufIdMask()).isEqualTo(i);
      }
    }
    assertThat(BufferPool.NO_WR_ID).isEqualTo(0xffff_ffffL);
  }

  @Test
  @Proves({"PY-082", "PY-093"})
  void oneRegionHoldsAllBuffersSideBySide() {
    try (BufferPool pool = new BufferPool(pd, 7, 100)) {
      MemoryRegion mr = pool.mr();
      assertThat(mr.length()).isEqualTo(700);
      assertThat(mr.access()).isEqualTo(Access.LOCAL_WRITE);
      assertThat(mr.pd()).isSameAs(pd);
      for (int i = 0; i < 7; i++) {
        Sge sge = pool.makeSge(i | pool.recvFlag(), 60);
        assertThat(sge.addr()).isEqualTo(mr.addr() + 100L * i);
        assertThat(sge.length()).isEqualTo(60);
        assertThat(sge.lkey()).isEqualTo(mr.lkey());
        assertThat(pool.memory(i).address()).isEqualTo(mr.memory().address() + 100L * i);
        assertThat(pool.memory(i).byteSize()).isEqualTo(100);
      }
      Refused.of(() -> pool.makeSge(0, 101), Errno.EINVAL).naming("101", "100");
      Refused.of(() -> pool.makeSge(7, 1), Errno.EINVAL).naming("0x7", "7 buffers");
      Refused.of(() -> pool.makeSge(-1, 1), Errno.EINVAL);
      Refused.of(() -> pool.makeSge(BufferPool.NO_WR_ID, 1), Errno.EINVAL);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "-1, 1", "1, 0", "1, -1", "1073741825, 1"})
  void otherSizesAreRefused(int count, int size) {
    Refused.of(() -> new BufferPool(pd, count, size), Errno.EINVAL).naming("" + count, "" + size);
  }

  @Test
  void aPoolPrintsHowManyBuffersAreFree() {
    try (BufferPool pool = new BufferPool(pd, 3, 100)) {
      pool.pop();
      assertThat(pool).hasToString("pool of 3 buffers of 100 bytes, 2 free");
    }
  }

  @Test
  @Proves("PY-094")
  void everyBufferIsGivenOutOnceAndThenNone() {
    try (BufferPool pool = new BufferPool(pd, 5, 8)) {
      Set<Integer> taken = new HashSet<>();
      for (int i = 0; i < 5; i++) {
        assertThat(pool.available()).isEqualTo(5 - i);
        assertThat(taken.add(pool.pop())).isTrue();
      }
      assertThat(taken).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
      assertThatThrownBy(pool::pop)
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage("1 buffers were requested, 0 of 5 are free");
      pool.push(3);
      assertThat(pool.pop()).isEqualTo(3);
      pool.push(3);
      Refused.of(() -> pool.push(3), Errno.EINVAL).naming("buffer 3 is free already");
    }
  }

  @Test
  @Proves({"PY-087", "PY-088"})
  void copiesAreCutToTheBuffer() {
    try (BufferPool pool = new BufferPool(pd, 2, 8)) {
      assertThat(pool.copyTo("abcdefghijkl".getBytes(UTF_8), 1)).isEqualTo(8);
      assertThat(text(pool.copyFrom(1))).isEqualTo("abcdefgh");
      assertThat(text(pool.copyFrom(1 | pool.recvFlag()))).isEqualTo("abcdefgh");
      assertThat(text(pool.copyFrom(1, 2, 3))).isEqualTo("cde");
      assertThat(text(pool.copyFrom(1, 6, Integer.MAX_VALUE))).isEqualTo("gh");
      assertThat(pool.copyFrom(1, 8, 1)).isEmpty();
      assertThat(pool.copyFrom(0)).isEqualTo(new byte[8]);

      // A source that is longer than length must not be copied whole.
      MemorySegment source = MemorySegment.ofArray("XYZ".getBytes(UTF_8));
      assertThat(pool.copyTo(source, 1, 1, 2)).isEqualTo(2);
      assertThat(text(pool.copyFrom(1))).isEqualTo("aXYdefgh");
      assertThat(pool.copyTo(source, 1, 7, 3)).isEqualTo(1);
      assertThat(pool.copyTo(source, 1, 3, Integer.MAX_VALUE)).isEqualTo(3);
      assertThat(text(pool.copyFrom(1))).isEqualTo("aXYXYZgX");
      assertThat(pool.copyFrom(0)).isEqualTo(new byte[8]);

      assertThat(pool.copyTo("123".getBytes(UTF_8), 1, 6)).isEqualTo(2);
      assertThat(text(pool.copyFrom(1))).isEqualTo("aXYXYZ12");

      Refused.of(() -> pool.copyTo(new byte[1], 1, 9), Errno.EINVAL).naming("9", "8 bytes");
      Refused.of(() -> pool.copyFrom(1, 9, 0), Errno.EINVAL).naming("9", "8 bytes");
      Refused.of(() -> pool.copyFrom(1, -1, 1), Errno.EINVAL);
      Refused.of(() -> pool.copyTo(source, 1, 0, -1), Errno.EINVAL);
      Refused.of(() -> pool.copyTo(source, 2, 0, 1), Errno.EINVAL);
    }
  }

  @Test
  @Proves("PY-092")
  void aSendIsSignaledAndBringsItsBufferBack() {
    try (BufferPool pool = new BufferPool(pd, 3, 64)) {
      SendWr wr = pool.makeSendWr(2, 33);
      wr.sendFlags(SendFlags.FENCE).next(new SendWr()).opcode(WrOpcode.RDMA_READ).remoteQpn(7);
      SendWr again = pool.makeSendWr(2, 44);
      assertThat(again.wrId()).isEqualTo(2);
      assertThat(again.opcode()).isEqualTo(WrOpcode.SEND);
      assertThat(again.sendFlags()).isEqualTo(SendFlags.SIGNALED);
      assertThat(again.numSge()).isEqualTo(1);
      assertThat(again.sgList()[0].addr()).isEqualTo(pool.mr().addr() + 128);
      assertThat(again.sgList()[0].length()).isEqualTo(44);
      assertThat(again.ah()).isNull();
      assertThat(again.next()).isNull();
      assertThat(again.remoteQpn()).isZero();
      assertThat(pool.makeSendWr(1, 5)).isNotSameAs(again);
      Refused.of(() -> pool.makeSendWr(2, 65), Errno.EINVAL).naming("65", "64");
    }
  }

  @Test
  @Proves("PY-095")
  void receivesCarryTheFlagAndTheWholeBuffer() {
    try (BufferPool pool = new BufferPool(pd, 3, 64)) {
      Posted posted = new Posted();
      pool.postRecvs(posted, 0);
      Refused.of(() -> pool.postRecvs(posted, -1), Errno.EINVAL).naming("-1");
      assertThat(posted.ids).isEmpty();
      pool.postRecvs(posted, 2);
      assertThat(posted.ids).hasSize(2).allMatch(id -> (id & pool.recvFlag()) != 0);
      assertThat(posted.lengths).containsOnly(64L);
      assertThat(pool.available()).isEqualTo(1);
      assertThatThrownBy(() -> pool.postRecvs(posted, 2))
          .isInstanceOf(NoSuchElementException.class)
          .hasMessage("2 buffers were requested, 1 of 3 are free");
      assertThat(pool.available()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void whatCouldNotBePostedIsFreeAgain(int room) {
    try (BufferPool pool = new BufferPool(pd, 4, 8)) {
      Posted posted = new Posted();
      posted.room = room;
      assertThatThrownBy(() -> pool.postRecvs(posted, 4)).isInstanceOf(WorkRequestException.class);
      assertThat(posted.ids).hasSize(room);
      assertThat(pool.available()).isEqualTo(4 - room);
    }
  }

  @Test
  @Proves("PY-090")
  void finishedSendsAreFreeAndFinishedReceivesArePostedAgain() {
    try (BufferPool pool = new BufferPool(pd, 4, 8)) {
      Posted posted = new Posted();
      pool.postRecvs(posted, 2);
      int sent = pool.pop();
      long received = posted.ids.getFirst();
      posted.ids.clear();

      pool.finishWcs(posted, Arrays.asList(done(sent), null, done(received)));
      assertThat(posted.ids).containsExactly(received);
      assertThat(pool.available()).isEqualTo(2);

      posted.ids.clear();
      pool.finishWcs(posted, done(received));
      assertThat(posted.ids).containsExactly(received);
      pool.finishWcs(posted, done(BufferPool.NO_WR_ID));
      assertThat(pool.available()).isEqualTo(2);
    }
  }

  @Test
  @Proves("PY-090")
  void theFirstErrorIsThrownAfterAllBuffersWereSeenTo() {
    try (BufferPool pool = new BufferPool(pd, 8, 8)) {
      Posted posted = new Posted();
      pool.postRecvs(posted, 3);
      List<Long> receives = List.copyOf(posted.ids);
      posted.ids.clear();
      int sent = pool.pop();
      WorkCompletion error =
          done(receives.get(1)).status(WcStatus.LOC_LEN_ERR).opcode(WcOpcode.RECV).qpNum(0x77);
      WorkCompletion later = done(sent).status(WcStatus.WR_FLUSH_ERR);

      WcException e =
          catchThrowableOfType(
              WcException.class,
              () ->
                  pool.finishWcs(
                      posted, List.of(done(receives.get(0)), error, done(receives.get(2)), later)));

      assertThat(e.workCompletion().status()).isEqualTo(WcStatus.LOC_LEN_ERR);
      assertThat(e.isRq()).as("is_rq of the one that failed, not of the last").isTrue();
      // Not a queue pair, so it continues, and loses no receive.
      assertThat(posted.ids).containsExactlyElementsOf(receives);
      assertThat(pool.available()).isEqualTo(5);
    }
  }

  @Test
  void aReceiveThatCannotBePostedAgainIsFree() {
    try (BufferPool pool = new BufferPool(pd, 2, 8)) {
      Posted posted = new Posted();
      pool.postRecvs(posted, 1);
      posted.room = 0;
      long received = posted.ids.getFirst();
      assertThatThrownBy(() -> pool.finishWcs(posted, done(received)))
          .isInstanceOf(WorkRequestException.class);
      assertThat(pool.available()).isEqualTo(2);
    }
  }

  @Test
  void aForeignRequestIsRefusedBeforeAnythingIsDone() {
    try (BufferPool pool = new BufferPool(pd, 3, 8)) {
      int sent = pool.pop();
      Posted posted = new Posted();
      for (long foreign : new long[] {3, 8, -1, 1L << 32, 0xffff_fffeL}) {
        Refused.of(() -> pool.finishWcs(posted, List.of(done(sent), done(foreign))), Errno.EINVAL)
            .naming("0x" + Long.toHexString(foreign));
        assertThat(pool.available()).isEqualTo(2);
      }
      pool.finishWcs(posted, done(sent));
      Refused.of(() -> pool.finishWcs(posted, done(sent)), Errno.EINVAL).naming("free already");
    }
  }

  @Test
  @Proves("PY-086")
  void closingEndsTheRegionOnceHoweverOften() {
    BufferPool pool = new BufferPool(pd, 2, 8);
    MemoryRegion mr = pool.mr();
    MemorySegment memory = mr.memory();
    pool.close();
    assertThat(mr.isClosed()).isTrue();
    assertThat(memory.scope().isAlive()).as("the memory is freed").isFalse();
    pool.close();
    assertThatThrownBy(pool::pop).isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(() -> pool.copyFrom(0)).isInstanceOf(ObjectClosedException.class);
    assertThatThrownBy(() -> pool.postRecvs(new Posted(), 1))
        .isInstanceOf(ObjectClosedException.class);
  }

  private static WorkCompletion done(long wrId) {
    return new WorkCompletion().wrId(wrId);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }

  /** Records posted receives, and has room for this number. */
  private static final class Posted implements RecvTarget {
    final List<Long> ids = new ArrayList<>();
    final List<Long> lengths = new ArrayList<>();
    int room = 100;

    @Override
    public void postRecv(@Nullable RecvWr wr) {
      assertThat(wr).isNotNull();
      assertThat(wr.next()).isNull();
      if (room-- == 0) {
        throw new WorkRequestException("postRecv", Errno.ENOMEM, "QP 0x1", "full", wr, 0);
      }
      ids.add(wr.wrId());
      lengths.add(wr.sgList()[0].length());
    }
  }
}
