package dev.verbena.mad;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.IbPath;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpAttrMask;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.spi.MadAddress;
import dev.verbena.verbs.spi.MadTransport;
import dev.verbena.wire.mad.MadHeader;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Carries management datagrams over a UD queue pair of a verbs device, which has the Q_Key of queue
 * pairs 1 and the P_Key of the path for which it was opened. A datagram that finds no room in its
 * send queue, or cannot be sent from there, is lost, as on a network.
 */
final class UdMadTransport implements MadTransport {
  private static final int SENDS = 64;
  private static final int RECEIVES = 4 * RmppReceiver.WINDOW;
  private static final int SLOT = Grh.LENGTH + MadHeader.MAD_LENGTH;
  private static final System.Logger LOG = System.getLogger(UdMadTransport.class.getName());

  private final Context context;
  private final boolean ownsContext;
  private final int portNum;
  private final int pkeyIndex;

  /** The domain of the queue pair and the memory; for tests to destroy. */
  final ProtectionDomain pd;

  private final CompletionChannel channel;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;

  /** Memory of all datagrams; for tests to invalidate. */
  final MemoryRegion memory;

  final QueuePair qp;

  /** Held while accessing the memory, which close frees. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Deque<Integer> freeSends = new ArrayDeque<>();
  private final @Nullable AddressHandle[] handles = new @Nullable AddressHandle[SENDS];
  private final WorkCompletion wc = new WorkCompletion();
  private boolean closed;

  private UdMadTransport(
      Context context,
      boolean ownsContext,
      IbPath path,
      ProtectionDomain pd,
      CompletionChannel channel,
      CompletionQueue sendCq,
      CompletionQueue recvCq) {
    this.context = context;
    this.ownsContext = ownsContext;
    this.portNum = path.endPort().portId();
    this.pkeyIndex = path.pkeyIndex();
    this.pd = pd;
    this.channel = channel;
    this.sendCq = sendCq;
    this.recvCq = recvCq;
    this.memory = pd.allocMr((long) (RECEIVES + SENDS) * SLOT, Access.LOCAL_WRITE);
    this.qp =
        pd.createQp(QpInitAttr.ud(recvCq).sendCq(sendCq).maxSendWr(SENDS).maxRecvWr(RECEIVES));
  }

  /**
   * Opens a transport with a queue pair that is ready to send.
   *
   * @param path its end port and P_Key
   * @param ownsContext whether to close the context with the transport, or if it cannot be opened
   * @throws VerbsException if one of its objects cannot be made
   */
  static UdMadTransport open(Context context, IbPath path, boolean ownsContext) {
    Deque<AutoCloseable> made = new ArrayDeque<>();
    if (ownsContext) {
      made.push(context);
    }
    try {
      CompletionChannel channel = keep(made, context.createCompChannel());
      CompletionQueue sendCq = keep(made, context.createCq(SENDS));
      CompletionQueue recvCq = keep(made, context.createCq(RECEIVES, channel));
      ProtectionDomain pd = keep(made, context.allocPd());
      UdMadTransport transport =
          new UdMadTransport(context, ownsContext, path, pd, channel, sendCq, recvCq);
      transport.begin(path);
      return transport;
    } catch (RuntimeException e) {
      made.forEach(object -> closeQuietly(object, e));
      throw e;
    }
  }

  private static <T extends AutoCloseable> T keep(Deque<AutoCloseable> made, T object) {
    made.push(object);
    return object;
  }

  private static void closeQuietly(AutoCloseable object, RuntimeException reason) {
    try {
      object.close();
    } catch (Exception e) {
      reason.addSuppressed(e);
    }
  }

  private void begin(IbPath path) {
    qp.modifyToInit(path.copy(b -> b.qkey(Iba.DEFAULT_QP1_QKEY)));
    for (int slot = 0; slot < RECEIVES; slot++) {
      postRecv(slot);
    }
    for (int slot = 0; slot < SENDS; slot++) {
      freeSends.add(slot);
    }
    qp.modifyToRtr(path);
    qp.modifyToRts(path);
  }

  private void postRecv(long slot) {
    qp.postRecv(new RecvWr().wrId(slot).sgList(memory.sge(SLOT, slot * SLOT)));
  }

  @Override
  public void send(MadAddress to, MemorySegment mad, Duration answerWithin) {
    if (to.pkeyIndex() != pkeyIndex) {
      throw new VerbsException(
          "mad",
          Errno.EINVAL,
          "P_Key index "
              + to.pkeyIndex()
              + ", this transport has that of its queue pair, "
              + pkeyIndex);
    }
    if (to.qpn() == 0) {
      throw new VerbsException(
          "mad",
          Errno.EOPNOTSUPP,
          "a UD queue pair cannot send to queue pair 0, which manages the subnet: use libibumad"
              + " instead of verbs");
    }
    lock.lock();
    try {
      requireOpen();
      takeSent();
      Integer slot = freeSends.poll();
      if (slot != null) {
        send(slot, to, mad);
      }
    } finally {
      lock.unlock();
    }
  }

  private void send(int slot, MadAddress to, MemorySegment mad) {
    boolean posted = false;
    try {
      long offset = (long) (RECEIVES + slot) * SLOT;
      MemorySegment.copy(mad, 0, memory.memory(), offset, MadHeader.MAD_LENGTH);
      qp.postSend(
          new SendWr()
              .wrId(slot)
              .opcode(WrOpcode.SEND)
              .sendFlags(SendFlags.SIGNALED)
              .sgList(memory.sge(MadHeader.MAD_LENGTH, offset))
              .ah(handle(slot, to.route()))
              .remoteQpn(to.qpn())
              .remoteQkey(to.qkey()));
      posted = true;
    } finally {
      if (!posted) {
        freeSends.push(slot);
      }
    }
  }

  /** The slot's address handle, which no request uses while the slot is free. */
  private AddressHandle handle(int slot, AhAttr route) {
    AddressHandle handle = handles[slot];
    if (handle != null && handle.attr().equals(route)) {
      return handle;
    }
    if (handle != null) {
      handle.close();
    }
    AddressHandle fresh = pd.createAh(route);
    handles[slot] = fresh;
    return fresh;
  }

  private void takeSent() {
    WcStatus failure = WcStatus.SUCCESS;
    WorkCompletion sent = new WorkCompletion();
    while (sendCq.poll(sent)) {
      freeSends.push((int) sent.wrId());
      if (failure == WcStatus.SUCCESS) {
        failure = sent.status();
      }
    }
    if (failure != WcStatus.SUCCESS) {
      LOG.log(
          System.Logger.Level.WARNING,
          "queue pair {0} of {1}: a management datagram was not sent, and is lost with those behind"
              + " it: {2}",
          Integer.toString(qp.qpNum()),
          context,
          failure);
      sendAgain();
    }
  }

  /** Restarts the send queue, which a failed send stops; receiving is not affected. */
  private void sendAgain() {
    if (qp.query(QpAttrMask.STATE).qpState() == QpState.SQE) {
      qp.modify(new QpAttr().qpState(QpState.RTS).curQpState(QpState.SQE));
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new ObjectClosedException("mad", "the transport of management datagrams");
    }
  }

  @Override
  public @Nullable MadAddress receive(MemorySegment into, Duration timeout)
      throws InterruptedException {
    long begin = System.nanoTime();
    try {
      MadAddress from = poll(into);
      while (from == null) {
        recvCq.reqNotify();
        from = poll(into);
        if (from != null) {
          return from;
        }
        Duration left = timeout.minusNanos(System.nanoTime() - begin);
        CompletionQueue raised = channel.getCqEvent(left.isNegative() ? Duration.ZERO : left);
        if (raised == null) {
          return null;
        }
        raised.ackEvents(1);
        from = poll(into);
      }
      return from;
    } catch (ObjectClosedException e) {
      if (isClosed()) {
        return null;
      }
      throw e;
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** The next datagram, or null if there is none; skips anything that is not a MAD. */
  private @Nullable MadAddress poll(MemorySegment into) {
    lock.lock();
    try {
      requireOpen();
      while (recvCq.poll(wc)) {
        MadAddress from = take(wc.orThrow(), into);
        postRecv(wc.wrId());
        if (from != null) {
          return from;
        }
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable MadAddress take(WorkCompletion received, MemorySegment into) {
    if (received.byteLen() != SLOT) {
      return null;
    }
    MemorySegment slot = memory.memory().asSlice(received.wrId() * SLOT, SLOT);
    AhAttr back;
    try {
      back = context.initAhFromWc(portNum, received, slot.asSlice(0, Grh.LENGTH));
    } catch (VerbsException e) {
      // It could not be answered.
      return null;
    }
    MemorySegment.copy(slot, Grh.LENGTH, into, 0, MadHeader.MAD_LENGTH);
    return new MadAddress(back, received.srcQp(), Iba.DEFAULT_QP1_QKEY, pkeyIndex);
  }

  /**
   * Closes everything; a part that cannot be closed does not keep others open, and is retried by
   * the next call.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    Context own = ownsContext ? context : null;
    try (own;
        channel;
        sendCq;
        recvCq) {
      closeDomain();
    }
  }

  private void closeDomain() {
    lock.lock();
    try {
      pd.close();
    } finally {
      lock.unlock();
    }
  }
}
