package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAh;
import dev.verbena.rdmacore.layout.IbvAhAttr;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvMw;
import dev.verbena.rdmacore.layout.IbvQpCap;
import dev.verbena.rdmacore.layout.IbvQpInitAttr;
import dev.verbena.rdmacore.layout.IbvRecvWr;
import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.rdmacore.layout.IbvSge;
import dev.verbena.rdmacore.layout.IbvSrqAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttr;
import dev.verbena.rdmacore.layout.IbvWc;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WcOpcode;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WrOpcode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests lists of requests, where they stop, and the completions of the requests before. */
final class PostVerbsTest {
  private static final int LENGTH = 64;
  private static final int SEND = WrOpcode.SEND.number();
  private static final int SIGNALED = SendFlags.SIGNALED;

  /** An address at which no program has memory, and which Java does not read either. */
  private static final long NOWHERE = Long.MIN_VALUE;

  private final Program program = new Program();
  private final long cq = program.cq(64);
  private final long mr = program.mr(4 * LENGTH, Program.LOCAL_WRITE | Program.ALL_REMOTE);
  private final long a = program.qp(QpType.RC, cq);
  private final long b = program.qp(QpType.RC, cq);
  private final long bad = program.memory(Long.BYTES);

  PostVerbsTest() {
    program.connect(a, b);
    program.connect(b, a);
  }

  @AfterEach
  void end() {
    program.close();
  }

  @Test
  void aMessageArrivesWithItsImmediateDataInTheNetworksOrder() {
    fill(Program.addr(mr));
    assertThat(program.postRecv(b, recv(1), bad)).isZero();
    long send = send(2, WrOpcode.SEND_WITH_IMM, SIGNALED);
    Host.setInt(send + IbvSendWr.IMM_DATA, 0x78563412);
    assertThat(program.postSend(a, send, bad)).isZero();

    long first = program.completion(cq);
    long second = program.completion(cq);
    long received = Host.getLong(first + IbvWc.WR_ID) == 1 ? first : second;
    long sent = received == first ? second : first;

    assertThat(Host.getInt(received + IbvWc.STATUS)).isZero();
    assertThat(Host.getInt(received + IbvWc.OPCODE)).isEqualTo(WcOpcode.RECV.number());
    assertThat(Host.getInt(received + IbvWc.BYTE_LEN)).isEqualTo(LENGTH);
    assertThat(Host.getInt(received + IbvWc.IMM_DATA)).isEqualTo(0x78563412);
    assertThat(Host.getInt(received + IbvWc.WC_FLAGS)).isEqualTo(WcFlags.WITH_IMM);
    assertThat(Host.getInt(received + IbvWc.QP_NUM)).isEqualTo(Program.qpNum(b));
    assertThat(Host.getLong(sent + IbvWc.WR_ID)).isEqualTo(2);
    assertThat(Host.getInt(sent + IbvWc.QP_NUM)).isEqualTo(Program.qpNum(a));
    assertThat(Host.getInt(sent + IbvWc.OPCODE)).isEqualTo(WcOpcode.SEND.number());
    for (long i = 0; i < LENGTH; i++) {
      assertThat(Host.getByte(Program.addr(mr) + LENGTH + i)).isEqualTo((int) (i + 1));
    }
  }

  @Test
  void inlineDataNeedsNoKeyAndIsTakenAtOnce() {
    long text = program.memory(8);
    Host.setLong(text, 42);
    assertThat(program.postRecv(b, recv(1), bad)).isZero();
    long sge = program.struct(IbvSge.LAYOUT);
    Host.setLong(sge + IbvSge.ADDR, text);
    Host.setInt(sge + IbvSge.LENGTH, 8);
    long send = program.sendWr(2, SEND, SIGNALED | SendFlags.INLINE, sge);
    assertThat(program.postSend(a, send, bad)).isZero();
    Host.setLong(text, 43);
    program.completion(cq);
    program.completion(cq);
    assertThat(Host.getLong(Program.addr(mr) + LENGTH)).isEqualTo(42);
  }

  @Test
  void atomicsWorkOnTheHostsNumbers() {
    Host.setLong(Program.addr(mr) + LENGTH, 40);
    long add = send(3, WrOpcode.ATOMIC_FETCH_AND_ADD, SIGNALED);
    Host.setInt(Host.getLong(add + IbvSendWr.SG_LIST) + IbvSge.LENGTH, 8);
    Host.setLong(add + IbvSendWr.WR_ATOMIC_REMOTE_ADDR, Program.addr(mr) + LENGTH);
    Host.setInt(add + IbvSendWr.WR_ATOMIC_RKEY, Program.rkey(mr));
    Host.setLong(add + IbvSendWr.WR_ATOMIC_COMPARE_ADD, 2);
    assertThat(program.postSend(a, add, bad)).isZero();
    program.succeeded(cq, 3);
    assertThat(Host.getLong(Program.addr(mr))).isEqualTo(40);
    assertThat(Host.getLong(Program.addr(mr) + LENGTH)).isEqualTo(42);
  }

  @Test
  void sendsBeforeTheBadOneArePostedAndTheOthersAreNot() {
    long first = write(1);
    long second = write(2);
    long third = write(3);
    long fourth = write(4);
    chain(IbvSendWr.NEXT, first, second, third, fourth);
    Host.setInt(third + IbvSendWr.NUM_SGE, 99);

    assertThat(program.postSend(a, first, bad)).isEqualTo(Errno.EINVAL);

    assertThat(Host.getLong(bad)).isEqualTo(third);
    program.succeeded(cq, 1);
    program.succeeded(cq, 2);
    Host.setInt(third + IbvSendWr.NUM_SGE, 1);
    assertThat(program.postSend(a, third, bad)).isZero();
    program.succeeded(cq, 3);
    program.succeeded(cq, 4);
  }

  @Test
  void anOpcodeThatNobodyHasIsTheBadOne() {
    long first = write(1);
    long second = write(2);
    chain(IbvSendWr.NEXT, first, second);
    Host.setInt(second + IbvSendWr.OPCODE, 77);
    assertThat(program.postSend(a, first, bad)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getLong(bad)).isEqualTo(second);
    program.succeeded(cq, 1);
  }

  @Test
  void aNegativeNumberOfElementsIsRefused() {
    long wr = write(1);
    Host.setInt(wr + IbvSendWr.NUM_SGE, -1);
    assertThat(program.postSend(a, wr, bad)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getLong(bad)).isEqualTo(wr);
    long recv = recv(2);
    Host.setInt(recv + IbvRecvWr.NUM_SGE, -1);
    assertThat(program.postRecv(a, recv, bad)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getLong(bad)).isEqualTo(recv);
  }

  @Test
  void moreElementsThanTheQueueTakesAreRefusedUnread() {
    for (int elements : new int[] {3, 32, 33, 256, 257, Integer.MAX_VALUE, -1}) {
      long wr = write(1);
      Host.setInt(wr + IbvSendWr.NUM_SGE, elements);
      Host.setLong(wr + IbvSendWr.SG_LIST, NOWHERE);
      assertThat(program.postSend(a, wr, bad)).isEqualTo(Errno.EINVAL);
      assertThat(Host.getLong(bad)).isEqualTo(wr);
      long recv = recv(2);
      Host.setInt(recv + IbvRecvWr.NUM_SGE, elements);
      Host.setLong(recv + IbvRecvWr.SG_LIST, NOWHERE);
      assertThat(program.postRecv(a, recv, bad)).isEqualTo(Errno.EINVAL);
      assertThat(Host.getLong(bad)).isEqualTo(recv);
      assertThat(postSrqRecv(srq(4), recv)).isEqualTo(Errno.EINVAL);
      assertThat(Host.getLong(bad)).isEqualTo(recv);
    }
  }

  @Test
  void elementsWithoutAListAreRefused() {
    long good = write(1);
    Host.setLong(good + IbvSendWr.SG_LIST, 0);
    assertThat(program.postSend(a, good, bad)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getLong(bad)).isEqualTo(good);
  }

  @Test
  void aListLongerThanTheQueueStopsWithEnomemWhereItIsFull() {
    long idle = program.qp(QpType.RC, cq);
    long[] wrs = new long[1_000];
    for (int i = 0; i < wrs.length; i++) {
      wrs[i] = recv(i);
    }
    chain(IbvRecvWr.NEXT, wrs);
    program.connect(idle, idle);

    assertThat(program.postRecv(idle, wrs[0], bad)).isEqualTo(Errno.ENOMEM);

    int room = indexOf(wrs, Host.getLong(bad));
    assertThat(room).isBetween(16, 64);
    assertThat(program.postRecv(idle, wrs[room], bad)).isEqualTo(Errno.ENOMEM);
    assertThat(Host.getLong(bad)).isEqualTo(wrs[room]);
  }

  @Test
  void receivesInAStateWithoutThemAreRefusedAtTheFirst() {
    long reset = program.qp(QpType.RC, cq);
    long first = recv(1);
    assertThat(program.postRecv(reset, first, bad)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getLong(bad)).isEqualTo(first);
  }

  @Test
  void aSharedQueueTakesTheReceivesBeforeTheBadOne() {
    long srq = srq(4);
    long first = recv(1);
    long second = recv(2);
    chain(IbvRecvWr.NEXT, first, second);
    Host.setInt(second + IbvRecvWr.NUM_SGE, 99);
    assertThat(postSrqRecv(srq, first)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getLong(bad)).isEqualTo(second);
  }

  @Test
  void aListForASharedQueueMayBeARing() {
    long srq = srq(4);
    long first = recv(1);
    long second = recv(2);
    chain(IbvRecvWr.NEXT, first, second, first);
    assertThat(postSrqRecv(srq, first)).isEqualTo(Errno.ENOMEM);
    assertThat(Host.getLong(bad)).isIn(first, second);
  }

  @Test
  void aListForAQueuePairMayBeARing() {
    long idle = program.qp(QpType.RC, cq);
    program.connect(idle, idle);
    long first = recv(1);
    long second = recv(2);
    chain(IbvRecvWr.NEXT, first, second, first);
    assertThat(program.postRecv(idle, first, bad)).isEqualTo(Errno.ENOMEM);
    assertThat(Host.getLong(bad)).isIn(first, second);
  }

  @Test
  void aSharedQueueTellsAndTakesItsAttributes() {
    long srq = srq(8);
    long attr = program.struct(IbvSrqAttr.LAYOUT);
    assertThat(Verbs.callInt("ibv_query_srq", srq, attr)).isZero();
    assertThat(Host.getInt(attr + IbvSrqAttr.MAX_WR)).isGreaterThanOrEqualTo(8);
    assertThat(Host.getInt(attr + IbvSrqAttr.MAX_SGE)).isEqualTo(1);
    for (int i = 0; i < 4; i++) {
      assertThat(postSrqRecv(srq, recv(i))).isZero();
    }
    Host.setInt(attr + IbvSrqAttr.SRQ_LIMIT, 3);
    int limit = 1 << 1;
    assertThat(Verbs.callInt("ibv_modify_srq", srq, attr, limit)).isZero();
    Host.setInt(attr + IbvSrqAttr.SRQ_LIMIT, 0);
    assertThat(Verbs.callInt("ibv_query_srq", srq, attr)).isZero();
    assertThat(Host.getInt(attr + IbvSrqAttr.SRQ_LIMIT)).isEqualTo(3);
    Host.setInt(attr + IbvSrqAttr.SRQ_LIMIT, 1_000_000);
    assertThat(Verbs.callInt("ibv_modify_srq", srq, attr, limit)).isEqualTo(Errno.EINVAL);
  }

  @Test
  void aWindowThatIsGoneIsAnErrnoAndTheFirstIsBad() {
    long wr = write(1);
    bindsAWindowThatIsGone(wr);
    assertThat(program.postSend(a, wr, bad)).isEqualTo(Errno.EINVAL);
    assertThat(Host.getLong(bad)).isEqualTo(wr);
  }

  @Test
  void theSendsBeforeAWindowThatIsGoneArePostedHoweverManyTheyAre() {
    for (int before : new int[] {1, 255, 256, 257, 600}) {
      long init = program.qpInit(QpType.RC, cq);
      Host.setInt(init + IbvQpInitAttr.CAP + IbvQpCap.MAX_SEND_WR, before + 1);
      long sender = program.qp(init);
      program.connect(sender, sender);
      long[] wrs = new long[before + 2];
      for (int i = 0; i < wrs.length; i++) {
        wrs[i] = write(i);
        Host.setInt(wrs[i] + IbvSendWr.SEND_FLAGS, i == before - 1 ? SIGNALED : 0);
      }
      chain(IbvSendWr.NEXT, wrs);
      bindsAWindowThatIsGone(wrs[before]);

      assertThat(program.postSend(sender, wrs[0], bad)).isEqualTo(Errno.EINVAL);

      assertThat(indexOf(wrs, Host.getLong(bad))).isEqualTo(before);
      program.succeeded(cq, before - 1);
    }
  }

  @Test
  void theDatagramsBeforeOneToAnAddressThatIsGoneArePosted() {
    long ud = program.qp(QpType.UD, cq);
    program.udToRts(ud, 1);
    long attr = program.struct(IbvAhAttr.LAYOUT);
    program.route(attr);
    long ah = program.made(Verbs.call("ibv_create_ah", program.pd(), attr), "ibv_destroy_ah");
    long gone = program.struct(IbvAh.LAYOUT);
    Host.setInt(gone + IbvAh.HANDLE, Integer.MAX_VALUE);
    long first = send(1, WrOpcode.SEND, SIGNALED);
    Host.setLong(first + IbvSendWr.WR_UD_AH, ah);
    long second = send(2, WrOpcode.SEND, SIGNALED);
    Host.setLong(second + IbvSendWr.WR_UD_AH, gone);
    chain(IbvSendWr.NEXT, first, second);

    assertThat(program.postSend(ud, first, bad)).isEqualTo(Errno.EINVAL);

    assertThat(Host.getLong(bad)).isEqualTo(second);
    program.succeeded(cq, 1);
  }

  @Test
  void aCompletionOfARemoteErrorSaysSoInItsStatus() {
    long wr = write(9);
    Host.setInt(wr + IbvSendWr.WR_RDMA_RKEY, Program.rkey(mr) ^ 0x5500);
    assertThat(program.postSend(a, wr, bad)).isZero();
    long wc = program.completion(cq);
    assertThat(Host.getInt(wc + IbvWc.STATUS)).isEqualTo(WcStatus.REM_ACCESS_ERR.number());
  }

  @Test
  void aPollForMoreThanThereAreFillsThatManyInOneCall() {
    int count = 10;
    for (int i = 0; i < count; i++) {
      assertThat(program.postSend(a, write(i), bad)).isZero();
      assertThat(program.postSend(b, write(100 + i), bad)).isZero();
    }
    long wcs = program.memory(64 * IbvWc.LAYOUT.size());
    int found = 0;
    while (found < 2 * count) {
      found += program.poll(cq, 64, wcs + found * IbvWc.LAYOUT.size());
    }
    long inOrder = 0;
    for (int i = 0; i < 2 * count; i++) {
      long wrId = Host.getLong(wcs + i * IbvWc.LAYOUT.size() + IbvWc.WR_ID);
      if (wrId < 100) {
        assertThat(wrId).isEqualTo(inOrder++);
      }
    }
    assertThat(inOrder).isEqualTo(count);
    assertThat(program.poll(cq, 0, wcs)).isZero();
  }

  private long srq(int maxWr) {
    long init = program.struct(IbvSrqInitAttr.LAYOUT);
    Host.setInt(init + IbvSrqInitAttr.ATTR + IbvSrqAttr.MAX_WR, maxWr);
    Host.setInt(init + IbvSrqInitAttr.ATTR + IbvSrqAttr.MAX_SGE, 1);
    return program.made(Verbs.call("ibv_create_srq", program.pd(), init), "ibv_destroy_srq");
  }

  private int postSrqRecv(long srq, long wr) {
    return (int) Verbs.inline(program.context(), IbvContext.OPS_POST_SRQ_RECV, srq, wr, bad);
  }

  private long recv(long wrId) {
    return program.recvWr(wrId, program.sge(mr, LENGTH, LENGTH));
  }

  private long send(long wrId, WrOpcode opcode, int flags) {
    return program.sendWr(wrId, opcode.number(), flags, program.sge(mr, 0, LENGTH));
  }

  private long write(long wrId) {
    long wr = send(wrId, WrOpcode.RDMA_WRITE, SIGNALED);
    Host.setLong(wr + IbvSendWr.WR_RDMA_REMOTE_ADDR, Program.addr(mr) + 2 * LENGTH);
    Host.setInt(wr + IbvSendWr.WR_RDMA_RKEY, Program.rkey(mr));
    return wr;
  }

  private void bindsAWindowThatIsGone(long wr) {
    long gone = program.struct(IbvMw.LAYOUT);
    Host.setInt(gone + IbvMw.HANDLE, Integer.MAX_VALUE);
    Host.setInt(wr + IbvSendWr.OPCODE, WrOpcode.BIND_MW.number());
    Host.setLong(wr + IbvSendWr.BIND_MW_MW, gone);
  }

  private static void chain(long next, long... wrs) {
    for (int i = 1; i < wrs.length; i++) {
      Host.setLong(wrs[i - 1] + next, wrs[i]);
    }
  }

  private static int indexOf(long[] wrs, long wanted) {
    int index = 0;
    while (wrs[index] != wanted) {
      index++;
    }
    return index;
  }

  private static void fill(long address) {
    for (long i = 0; i < LENGTH; i++) {
      Host.setByte(address + i, (int) (i + 1));
    }
  }
}
