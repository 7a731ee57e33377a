package dev.verbena.tck.sending;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QueuePairEx;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkRequestException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/** Data copied while posting. */
final class InlineTest {
  private static final int LIMIT = 200;

  @OnEveryLinkAndApi
  @Proves({
    "PS-092",
    "PS-096",
    "S1.2/INLINE",
    "S1.4.3",
    "WR-014",
    "WR-015",
    "WR-115",
    "WR-116",
    "WR-120"
  })
  void theBufferMayBeOverwrittenAtOnce(TckLink link, PostingApi api) {
    try (QpPair pair = open(link)) {
      byte[] data = random(150);
      byte[] buffer = data.clone();
      SendWr send =
          inline(
              SendWrs.send(1, piece(buffer, 0, 70), piece(buffer, 70, 1), piece(buffer, 71, 79)));
      api.post(pair.left().qp(), send);
      Arrays.fill(buffer, (byte) 0);
      // No message can complete before there is a receive.
      pair.right().postRecv(2, pair.right().sge(0, 150));

      pair.left().sent(1);
      assertThat(pair.right().received(2).byteLen()).isEqualTo(150);
      assertThat(pair.right().bytes(0, 150)).isEqualTo(data);
    }
  }

  @OnEveryLink
  @Proves({"WR-014", "WR-015", "WR-115", "S2.13"})
  void theBufferMayBeOverwrittenInsideTheBatch(TckLink link) {
    try (QpPair pair = open(link)) {
      QueuePairEx qp = pair.left().qp();
      byte[] data = random(100);
      byte[] buffer = data.clone();
      MemorySegment segment = MemorySegment.ofArray(buffer);
      qp.wrStart();
      qp.wrId(1).wrFlags(SendFlags.SIGNALED);
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      qp.wrSetInlineData(segment, 0, 100);
      Arrays.fill(buffer, (byte) 1);
      qp.wrId(2);
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(100));
      qp.wrSetInlineDataList(segment.asSlice(0, 10), segment.asSlice(10, 90));
      Arrays.fill(buffer, (byte) 2);
      qp.wrComplete();
      pair.left().sent(1);
      pair.left().sent(2);
      assertThat(pair.right().bytes(0, 100)).isEqualTo(data);
      assertThat(pair.right().bytes(100, 100)).containsOnly(1);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"PS-092", "S1.2/INLINE", "S2.13", "WR-014", "WR-116", "WR-118"})
  void sendsAndWritesMayBeInline(TckLink link, PostingApi api) {
    try (QpPair pair = open(link)) {
      byte[] data = random(99);
      Sge piece = piece(data, 0, 99).lkey(0xdead_beef);
      SendWr[] all = {
        SendWrs.send(1, piece),
        SendWrs.sendImm(2, 22, piece),
        SendWrs.write(3, pair.right(), 1024, piece),
        SendWrs.writeImm(4, 44, pair.right(), 2048, piece)
      };
      pair.right().postRecv(1, pair.right().sge(0, 100));
      pair.right().postRecv(2, pair.right().sge(512, 100));
      pair.right().postRecv(4);
      for (SendWr wr : all) {
        api.post(pair.left().qp(), inline(wr));
        pair.left().sent(wr.wrId());
      }
      pair.right().received(1);
      assertThat(pair.right().received(2).immData()).isEqualTo(22);
      assertThat(pair.right().received(4).immData()).isEqualTo(44);
      for (long offset : new long[] {0, 512, 1024, 2048}) {
        assertThat(pair.right().bytes(offset, 99)).isEqualTo(data);
        assertThat(pair.right().bytes(offset + 99, 1)).containsOnly(0);
      }
    }
  }

  @OnEveryLinkAndApi
  @Proves({"PS-092", "S1.2/INLINE"})
  void aPartOfASegmentGoesInline(TckLink link, PostingApi api) {
    try (QpPair pair = open(link)) {
      byte[] data = random(99);
      Sge part = new Sge().segment(MemorySegment.ofArray(data), 40, 50).length(20);
      api.post(pair.left().qp(), inline(SendWrs.write(1, pair.right(), 0, part)));
      pair.left().sent(1);
      assertThat(pair.right().bytes(0, 20)).isEqualTo(Arrays.copyOfRange(data, 40, 60));
      assertThat(pair.right().bytes(20, 20)).containsOnly(0);
    }
  }

  @OnEveryLink
  @Proves({"PS-092", "S1.2/INLINE"})
  void anAddressThatIsSetCountsAndNotTheSegmentBefore(TckLink link) {
    try (QpPair pair = open(link)) {
      QpEnd left = pair.left();
      byte[] data = left.fill(0, 16, 3);
      MemorySegment all = MemorySegment.ofArray(new byte[16]);
      Sge sge = Sge.of(all).addr(left.addr(4)).length(4).lkey(left.sge(0, 1).lkey());
      left.qp().postSend(inline(SendWrs.write(1, pair.right(), 0, sge)));
      left.sent(1);
      assertThat(pair.right().bytes(0, 4)).isEqualTo(Arrays.copyOfRange(data, 4, 8));
    }
  }

  @OnEveryLink
  void aSegmentIsRefusedWithoutTheFlagWhateverItsKey(TckLink link) {
    try (QpPair pair = open(link)) {
      QpEnd left = pair.left();
      Sge sge = Sge.of(MemorySegment.ofArray(new byte[8])).lkey(left.sge(0, 1).lkey());
      Refusal.with(Errno.EINVAL, () -> left.qp().postSend(SendWrs.write(1, pair.right(), 0, sge)));
    }
  }

  @OnEveryLinkAndApi
  @Proves({"PS-092", "S1.2/INLINE", "WR-118"})
  void readsAndAtomicsMayNotBeInline(TckLink link, PostingApi api) {
    try (QpPair pair = open(link)) {
      pair.right().fill(0, 8, 5);
      byte[] before = pair.right().bytes(0, 8);
      byte[] landing = new byte[8];
      Sge piece = piece(landing, 0, 8);
      SendWr[] all = {
        SendWrs.read(1, pair.right(), 0, piece),
        SendWrs.fetchAdd(2, pair.right(), 0, 1, piece),
        SendWrs.compareSwap(3, pair.right(), 0, pair.right().getLong(0), 1, piece)
      };
      for (SendWr wr : all) {
        WorkRequestException refusal = Refusal.of(() -> api.post(pair.left().qp(), inline(wr)));
        if (api == PostingApi.POST_SEND) {
          assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
          assertThat(refusal.badSendWr()).isSameAs(wr);
        }
      }
      assertNothingWasPosted(pair, api);
      assertThat(pair.right().bytes(0, 8)).isEqualTo(before);
      assertThat(landing).containsOnly(0);
    }
  }

  @OnEveryLinkAndApi
  @Proves({"S1.3.3", "WR-117"})
  void theLimitIsTheOneGrantedAtCreation(TckLink link, PostingApi api) {
    try (QpPair pair = open(link)) {
      int limit = pair.left().qp().queryInit().maxInlineData();
      assertThat(limit).isGreaterThanOrEqualTo(LIMIT);
      byte[] data = random(limit + 1);
      SendWr fits =
          SendWrs.write(1, pair.right(), 0, piece(data, 0, limit - 3), piece(data, limit - 3, 3));
      api.post(pair.left().qp(), inline(fits));
      pair.left().sent(1);
      assertThat(pair.right().bytes(0, limit)).isEqualTo(Arrays.copyOf(data, limit));

      SendWr whole = inline(SendWrs.write(2, pair.right(), 0, piece(data, 0, limit + 1)));
      SendWr parts =
          inline(SendWrs.write(3, pair.right(), 0, piece(data, 0, limit), piece(data, limit, 1)));
      Stream.of(whole, parts)
          .forEach(
              wr -> {
                WorkRequestException refusal = Refusal.of(() -> api.post(pair.left().qp(), wr));
                if (api == PostingApi.POST_SEND) {
                  assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
                }
              });
      assertNothingWasPosted(pair, api);
      assertThat(pair.right().bytes(limit, 1)).containsOnly(0);
    }
  }

  @OnEveryLink
  @Proves({"WR-119", "S2.14"})
  void oneInlineBufferIsAListOfOne(TckLink link) {
    try (QpPair pair = open(link)) {
      byte[] data = random(77);
      QueuePairEx qp = pair.left().qp();
      qp.wrStart();
      qp.wrFlags(SendFlags.SIGNALED).wrId(1);
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(0));
      qp.wrSetInlineData(MemorySegment.ofArray(data));
      qp.wrId(2);
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(100));
      qp.wrSetInlineDataList(MemorySegment.ofArray(data));
      qp.wrId(3);
      qp.wrRdmaWrite(pair.right().rkey(), pair.right().addr(200));
      qp.wrSetInlineDataList(1, new MemorySegment[] {MemorySegment.ofArray(data), null});
      qp.wrComplete();
      for (int i = 0; i < 3; i++) {
        pair.left().sent(i + 1);
        assertThat(pair.right().bytes(100L * i, 77)).isEqualTo(data);
      }
    }
  }

  private static QpPair open(TckLink link) {
    return PairSetup.on(link).cap(new QpCap(16, 16, 4, 4, LIMIT)).open();
  }

  private static SendWr inline(SendWr wr) {
    return wr.sendFlags(SendFlags.SIGNALED | SendFlags.INLINE);
  }

  private static Sge piece(byte[] data, int from, int length) {
    return Sge.of(MemorySegment.ofArray(data).asSlice(from, length));
  }

  private static byte[] random(int length) {
    byte[] data = new byte[length];
    new Random(length).nextBytes(data);
    return data;
  }

  /** The next request is the first to complete. */
  private static void assertNothingWasPosted(QpPair pair, PostingApi api) {
    api.post(pair.left().qp(), SendWrs.write(99, pair.right(), 0));
    pair.left().sent(99);
    pair.left().assertNothingSent();
  }
}
