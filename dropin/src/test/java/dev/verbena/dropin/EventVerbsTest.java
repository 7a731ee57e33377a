package dev.verbena.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.dropin.object.CqBinding;
import dev.verbena.rdmacore.host.Host;
import dev.verbena.rdmacore.layout.IbvAsyncEvent;
import dev.verbena.rdmacore.layout.IbvCompChannel;
import dev.verbena.rdmacore.layout.IbvContext;
import dev.verbena.rdmacore.layout.IbvCq;
import dev.verbena.rdmacore.layout.IbvQp;
import dev.verbena.rdmacore.layout.IbvQpAttr;
import dev.verbena.rdmacore.layout.IbvQpCap;
import dev.verbena.rdmacore.layout.IbvQpInitAttr;
import dev.verbena.rdmacore.layout.IbvSendWr;
import dev.verbena.rdmacore.layout.IbvSrqAttr;
import dev.verbena.rdmacore.layout.IbvSrqInitAttr;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SrqAttrMask;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WrOpcode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Events on descriptors: waiting for, taking and acknowledging them. */
final class EventVerbsTest {
  private static final CLibraryNative LIBC = CLibraryNative.libc();
  private static final int POLLIN = 1;
  private static final int F_SETFL = 4;
  private static final int O_NONBLOCK = 0x800;
  private static final long PATIENCE = 60;

  private final Program program = new Program();
  private final long context = program.context();
  private final long channel =
      program.made(Verbs.call("ibv_create_comp_channel", context), "ibv_destroy_comp_channel");
  private final int fd = Host.getInt(channel + IbvCompChannel.FD);
  private final int asyncFd = Host.getInt(context + IbvContext.ASYNC_FD);
  private final long mr = program.mr(64, Program.LOCAL_WRITE | Program.ALL_REMOTE);
  private final long out = program.memory(16);
  private final ExecutorService others = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    others.close();
    program.close();
  }

  @Test
  void theDescriptorIsReadableWhileAnEventWaits() {
    long cq = armed(0x77);
    assertThat(isReadable(fd, 0)).isFalse();

    complete(cq);

    assertThat(isReadable(fd, PATIENCE)).isTrue();
    assertThat(getCqEvent()).isZero();
    assertThat(Host.getLong(out)).isEqualTo(cq);
    assertThat(Host.getLong(out + 8)).isEqualTo(0x77);
    assertThat(isReadable(fd, 0)).isFalse();
    Verbs.call("ibv_ack_cq_events", cq, 1);
  }

  @Test
  void whoMayNotBlockIsToldToTryAgain() {
    nonBlocking(fd);
    assertThat(getCqEvent()).isEqualTo(-1);
    assertThat(Verbs.errno()).isEqualTo(Errno.EAGAIN);
    nonBlocking(asyncFd);
    assertThat(getAsyncEvent()).isEqualTo(-1);
    assertThat(Verbs.errno()).isEqualTo(Errno.EAGAIN);
  }

  @Test
  void whoWaitsIsWokenByTheEvent() throws Exception {
    long cq = armed(0);
    CompletableFuture<Integer> waiter = CompletableFuture.supplyAsync(this::getCqEvent, others);
    complete(cq);
    assertThat(waiter.get(PATIENCE, TimeUnit.SECONDS)).isZero();
    Verbs.call("ibv_ack_cq_events", cq, 1);
  }

  @Test
  void eventsOfSeveralQueuesAreTakenOneByOne() {
    long first = armed(1);
    long second = armed(2);
    complete(first);
    complete(second);
    long contexts = 0;
    for (int i = 0; i < 2; i++) {
      assertThat(isReadable(fd, PATIENCE)).isTrue();
      assertThat(getCqEvent()).isZero();
      contexts += Host.getLong(out + 8);
      Verbs.call("ibv_ack_cq_events", Host.getLong(out), 1);
    }
    assertThat(contexts).isEqualTo(3);
    assertThat(isReadable(fd, 0)).isFalse();
  }

  @Test
  void anEventOfAQueueThatIsDestroyedIsGone() {
    long cq = Verbs.call("ibv_create_cq", context, 16, 0, channel, 0);
    long qp = Verbs.call("ibv_create_qp", program.pd(), program.qpInit(QpType.RC, cq));
    program.connect(qp, qp);
    notify(cq);
    write(qp);
    assertThat(isReadable(fd, PATIENCE)).isTrue();

    assertThat(Verbs.callInt("ibv_destroy_qp", qp)).isZero();
    assertThat(Verbs.callInt("ibv_destroy_cq", cq)).isZero();

    nonBlocking(fd);
    assertThat(getCqEvent()).isEqualTo(-1);
    assertThat(Verbs.errno()).isEqualTo(Errno.EAGAIN);
    assertThat(isReadable(fd, 0)).isFalse();
  }

  @Test
  void destroyingAQueueWaitsForTheAcknowledgementOfItsEvents() throws Exception {
    long cq = Verbs.call("ibv_create_cq", context, 16, 0, channel, 0);
    long qp = Verbs.call("ibv_create_qp", program.pd(), program.qpInit(QpType.RC, cq));
    program.connect(qp, qp);
    notify(cq);
    write(qp);
    assertThat(getCqEvent()).isZero();
    assertThat(Verbs.callInt("ibv_destroy_qp", qp)).isZero();
    int handle = Host.getInt(cq + IbvCq.HANDLE);

    CompletableFuture<Integer> destroyed =
        CompletableFuture.supplyAsync(() -> Verbs.callInt("ibv_destroy_cq", cq), others);
    while (isThere(handle)) {
      Thread.onSpinWait();
    }

    assertThat(destroyed).isNotDone();
    Verbs.call("ibv_ack_cq_events", cq, 1);
    assertThat(destroyed.get(PATIENCE, TimeUnit.SECONDS)).isZero();
  }

  private static boolean isThere(int handle) {
    try {
      CqBinding.get(handle);
      return true;
    } catch (VerbsException e) {
      return false;
    }
  }

  @Test
  void aChannelWithAQueueIsInUse() {
    armed(0);
    assertThat(Verbs.callInt("ibv_destroy_comp_channel", channel)).isEqualTo(Errno.EBUSY);
    assertThat(Verbs.errno()).isEqualTo(Errno.EBUSY);
  }

  @Test
  void theLastRequestOfAQueuePairOnASharedQueueIsAnEvent() throws Exception {
    long srq = srq();
    long qp = Verbs.call("ibv_create_qp", program.pd(), init(program.cq(16), srq, 16));
    program.connect(qp, qp);
    long attr = program.struct(IbvQpAttr.LAYOUT);
    Host.setInt(attr + IbvQpAttr.QP_STATE, QpState.ERR.number());
    assertThat(program.modify(qp, attr, QpAttrMask.STATE)).isZero();

    assertThat(isReadable(asyncFd, PATIENCE)).isTrue();
    long event = asyncEvent(EventType.QP_LAST_WQE_REACHED);
    assertThat(Host.getLong(event + IbvAsyncEvent.ELEMENT_QP)).isEqualTo(qp);

    CompletableFuture<Integer> destroyed =
        CompletableFuture.supplyAsync(() -> Verbs.callInt("ibv_destroy_qp", qp), others);
    Verbs.call("ibv_ack_async_event", event);
    assertThat(destroyed.get(PATIENCE, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void aSharedQueueThatRunsLowIsAnEvent() {
    long srq = srq();
    long cq = program.cq(16);
    long qp = program.qp(init(cq, srq, 16));
    program.connect(qp, qp);
    long bad = program.memory(8);
    for (int i = 0; i < 2; i++) {
      long recv = program.recvWr(i, program.sge(mr, 0, 64));
      assertThat((int) Verbs.inline(context, IbvContext.OPS_POST_SRQ_RECV, srq, recv, bad))
          .isZero();
    }
    long attr = program.struct(IbvSrqAttr.LAYOUT);
    Host.setInt(attr + IbvSrqAttr.SRQ_LIMIT, 2);
    assertThat(Verbs.callInt("ibv_modify_srq", srq, attr, SrqAttrMask.LIMIT)).isZero();
    long send = program.sendWr(9, WrOpcode.SEND.number(), 0, program.sge(mr, 0, 8));
    assertThat(program.postSend(qp, send, bad)).isZero();

    long event = asyncEvent(EventType.SRQ_LIMIT_REACHED);

    assertThat(Host.getLong(event + IbvAsyncEvent.ELEMENT_SRQ)).isEqualTo(srq);
    Verbs.call("ibv_ack_async_event", event);
  }

  @Test
  void aQueueThatOverflowsIsAnEvent() {
    long cq = program.cq(1);
    int room = Host.getInt(cq + IbvCq.CQE);
    long qp = program.qp(init(cq, 0, room + 8));
    program.connect(qp, qp);
    for (int i = 0; i <= room; i++) {
      write(qp);
    }
    long event = asyncEvent(EventType.CQ_ERR);
    assertThat(Host.getLong(event + IbvAsyncEvent.ELEMENT_CQ)).isEqualTo(cq);
    Verbs.call("ibv_ack_async_event", event);
    awaitQpFatal(qp);
  }

  /** Waits for the event of a queue pair whose completion queue has overflowed. */
  private void awaitQpFatal(long qp) {
    long event = asyncEvent(EventType.QP_FATAL);
    assertThat(Host.getLong(event + IbvAsyncEvent.ELEMENT_QP)).isEqualTo(qp);
    assertThat(Host.getInt(qp + IbvQp.HANDLE)).isNotNegative();
    Verbs.call("ibv_ack_async_event", event);
  }

  private long armed(long cqContext) {
    long cq =
        program.made(
            Verbs.call("ibv_create_cq", context, 16, cqContext, channel, 0), "ibv_destroy_cq");
    notify(cq);
    return cq;
  }

  private void notify(long cq) {
    assertThat((int) Verbs.inline(context, IbvContext.OPS_REQ_NOTIFY_CQ, cq, 0)).isZero();
  }

  /** Generates one completion. */
  private void complete(long cq) {
    long qp = program.qp(QpType.RC, cq);
    program.connect(qp, qp);
    write(qp);
  }

  private void write(long qp) {
    long wr =
        program.sendWr(1, WrOpcode.RDMA_WRITE.number(), SendFlags.SIGNALED, program.sge(mr, 0, 8));
    Host.setLong(wr + IbvSendWr.WR_RDMA_REMOTE_ADDR, Program.addr(mr) + 8);
    Host.setInt(wr + IbvSendWr.WR_RDMA_RKEY, Program.rkey(mr));
    assertThat(program.postSend(qp, wr, program.memory(8))).isZero();
  }

  private long srq() {
    long init = program.struct(IbvSrqInitAttr.LAYOUT);
    Host.setInt(init + IbvSrqInitAttr.ATTR + IbvSrqAttr.MAX_WR, 4);
    Host.setInt(init + IbvSrqInitAttr.ATTR + IbvSrqAttr.MAX_SGE, 1);
    return program.made(Verbs.call("ibv_create_srq", program.pd(), init), "ibv_destroy_srq");
  }

  private long init(long cq, long srq, int maxSendWr) {
    long init = program.qpInit(QpType.RC, cq);
    Host.setLong(init + IbvQpInitAttr.SRQ, srq);
    Host.setInt(init + IbvQpInitAttr.CAP + IbvQpCap.MAX_SEND_WR, maxSendWr);
    return init;
  }

  private int getCqEvent() {
    return Verbs.callInt("ibv_get_cq_event", channel, out, out + 8);
  }

  private int getAsyncEvent() {
    return Verbs.callInt("ibv_get_async_event", context, out);
  }

  /** Takes events until one of this type arrives, and acknowledges the others. */
  private long asyncEvent(EventType type) {
    long event = program.struct(IbvAsyncEvent.LAYOUT);
    assertThat(Verbs.callInt("ibv_get_async_event", context, event)).isZero();
    while (Host.getInt(event + IbvAsyncEvent.EVENT_TYPE) != type.number()) {
      Verbs.call("ibv_ack_async_event", event);
      assertThat(Verbs.callInt("ibv_get_async_event", context, event)).isZero();
    }
    return event;
  }

  private static void nonBlocking(int descriptor) {
    assertThat(LIBC.call("fcntl", descriptor, F_SETFL, O_NONBLOCK)).isZero();
  }

  private boolean isReadable(int descriptor, long seconds) {
    long pollFd = program.memory(8);
    Host.setInt(pollFd, descriptor);
    Host.setShort(pollFd + 4, POLLIN);
    int count = (int) LIBC.call("poll", pollFd, 1, TimeUnit.SECONDS.toMillis(seconds));
    return count == 1 && Host.getShort(pollFd + 6) == POLLIN;
  }
}
