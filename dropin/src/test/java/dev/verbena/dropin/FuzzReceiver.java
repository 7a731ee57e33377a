package dev.verbena.dropin;

import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.object.QpBinding;
import dev.verbena.dropin.object.QueueBinding;
import dev.verbena.dropin.object.SrqBinding;
import dev.verbena.dropin.object.WqBinding;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.FlowAttr;
import dev.verbena.verbs.FlowAttrType;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RwqIndTable;
import dev.verbena.verbs.RxHashConf;
import dev.verbena.verbs.RxHashFunction;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.SrqInitAttr;
import dev.verbena.verbs.WorkQueue;
import dev.verbena.verbs.WqInitAttr;
import dev.verbena.verbs.WqState;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.XrcDomain;
import java.util.List;

/**
 * The kinds of queues to which receives are posted, of which fuzzers use one each: a queue that is
 * empty at the start, and messages that use up its receives.
 */
abstract class FuzzReceiver {
  private static final int DEPTH = FuzzQueues.DEPTH;
  private static final int KEY_BYTES = 40;

  /** As many as are sent at once. */
  private static final int MESSAGES = 4;

  /** Their size in bytes, which holds the header of a frame; frames are padded to 60. */
  private static final int MESSAGE = 16;

  private static final byte CONTENT = (byte) 0xa5;

  /** What is sent, which is not what the memory has that requests must not change. */
  private static final MemoryRegion SOURCE = FuzzQueues.DOMAIN.allocMr(MESSAGE, Access.LOCAL_WRITE);

  static {
    SOURCE.memory().fill(CONTENT);
  }

  /** One of each kind. */
  static final List<FuzzReceiver> ALL =
      List.of(new OwnQueue(), new SharedQueue(), new XrcQueue(), new FrameQueue());

  /** Empties the queue. */
  abstract void start();

  /** Posts receives; returns 0 or an errno. */
  abstract long post(long first, long bad);

  /** Sends the queue a message. */
  abstract void send();

  /** Uses up receives. */
  final void deliver() {
    for (int i = 0; i < MESSAGES; i++) {
      send();
    }
    FuzzQueues.drain();
  }

  private static SendWr message() {
    return new SendWr().opcode(WrOpcode.SEND).sgList(SOURCE.sge());
  }

  /** A queue pair's own queue. */
  private static final class OwnQueue extends FuzzReceiver {
    @Override
    void start() {
      FuzzQueues.start(FuzzQueues.RC);
    }

    @Override
    long post(long first, long bad) {
      return PostCalls.postRecv(FuzzQueues.RC, first, bad);
    }

    @Override
    void send() {
      QpBinding.get(FuzzQueues.RC).queue().postSend(message());
    }
  }

  /** A queue that queue pairs share. */
  private static final class SharedQueue extends FuzzReceiver {
    private final Renewed srq = new Renewed();
    private long qp = FuzzQueues.NONE;

    @Override
    void start() {
      if (qp != FuzzQueues.NONE) {
        QpCalls.destroyQp(qp);
      }
      SharedReceiveQueue queue = srq.renew(SrqInitAttr.basic(DEPTH, FuzzQueues.MOST_SGE));
      qp =
          FuzzQueues.add(
              new QpInitAttr(QpType.RC)
                  .sendCq(FuzzQueues.CQ)
                  .recvCq(FuzzQueues.CQ)
                  .maxSendWr(MESSAGES)
                  .srq(queue));
      FuzzQueues.start(qp);
    }

    @Override
    long post(long first, long bad) {
      return PostCalls.postSrqRecv(srq.handle, first, bad);
    }

    @Override
    void send() {
      QpBinding.get(qp).queue().postSend(message());
    }
  }

  /** One that XRC targets share, and to which a message is addressed. */
  private static final class XrcQueue extends FuzzReceiver {
    private final XrcDomain xrcd = FuzzQueues.CONTEXT.openXrcd();
    private final QueuePair sender =
        FuzzQueues.DOMAIN.createQp(QpInitAttr.xrcSend(FuzzQueues.CQ).maxSendWr(MESSAGES));
    private final QueuePair target = FuzzQueues.CONTEXT.createQpEx(QpInitAttr.xrcRecv(xrcd));
    private final Renewed srq = new Renewed();

    @Override
    void start() {
      sender.modify(new QpAttr().qpState(QpState.RESET));
      target.modify(new QpAttr().qpState(QpState.RESET));
      srq.renew(SrqInitAttr.xrc(xrcd, FuzzQueues.CQ, DEPTH, FuzzQueues.MOST_SGE));
      FuzzQueues.drain();
      sender.connect(target.endpoint());
      target.connect(sender.endpoint());
    }

    @Override
    long post(long first, long bad) {
      return PostCalls.postSrqRecv(srq.handle, first, bad);
    }

    @Override
    void send() {
      sender.postSend(message().remoteSrqn(SrqBinding.get(srq.handle).queue().srqNum()));
    }
  }

  /** A work queue, which receives all frames. */
  private static final class FrameQueue extends FuzzReceiver {
    private final QueuePair sender =
        FuzzQueues.DOMAIN.createQp(
            new QpInitAttr(QpType.RAW_PACKET)
                .sendCq(FuzzQueues.CQ)
                .recvCq(FuzzQueues.CQ)
                .maxSendWr(MESSAGES));
    private final long wq = hashed();

    private long hashed() {
      WorkQueue queue =
          FuzzQueues.CONTEXT.createWq(
              new WqInitAttr(FuzzQueues.DOMAIN, FuzzQueues.CQ)
                  .maxWr(DEPTH)
                  .maxSge(FuzzQueues.MOST_SGE));
      RwqIndTable table = FuzzQueues.CONTEXT.createRwqIndTable(List.of(queue));
      RxHashConf conf = new RxHashConf(RxHashFunction.TOEPLITZ, new byte[KEY_BYTES]);
      FuzzQueues.DOMAIN
          .createQp(new QpInitAttr(QpType.RAW_PACKET).rxHash(table, conf))
          .createFlow(new FlowAttr(FlowAttrType.SNIFFER));
      return add(new WqBinding(0), queue);
    }

    @Override
    void start() {
      sender.modify(new QpAttr().qpState(QpState.RESET));
      WqCalls.modifyWq(wq, WqState.RESET.number());
      WqCalls.modifyWq(wq, WqState.RDY.number());
      FuzzQueues.drain();
      sender.modify(new QpAttr().qpState(QpState.INIT).portNum(1));
      sender.modify(new QpAttr().qpState(QpState.RTR));
      sender.modify(new QpAttr().qpState(QpState.RTS));
    }

    @Override
    long post(long first, long bad) {
      return PostCalls.postWqRecv(wq, first, bad);
    }

    @Override
    void send() {
      sender.postSend(message());
    }
  }

  private static <T> long add(QueueBinding<T> binding, T queue) {
    binding.bind(queue, FuzzQueues.MOST_SGE);
    return Handles.add(FuzzQueues.CONTEXT, binding);
  }

  /** A shared receive queue, which can be emptied only by making another. */
  private static final class Renewed {
    long handle = FuzzQueues.NONE;

    SharedReceiveQueue renew(SrqInitAttr attr) {
      if (handle != FuzzQueues.NONE) {
        SrqCalls.destroySrq(handle);
      }
      SharedReceiveQueue queue = FuzzQueues.DOMAIN.createSrq(attr);
      handle = add(new SrqBinding(0), queue);
      return queue;
    }
  }
}
