package dev.verbena.soft.device;

import dev.verbena.soft.device.qp.QpFactory;
import dev.verbena.soft.device.spec.SoftSubnet;
import dev.verbena.soft.engine.Engine;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionChannel;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Grh;
import dev.verbena.verbs.Iba;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.Providers;
import dev.verbena.verbs.QpCap;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.WcFlags;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WorkRequestException;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.spi.MadSource;
import dev.verbena.verbs.spi.ManagementAgent;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Iterator;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The node of the subnet's manager: a device like any other, with queue pair 1. Its own thread
 * passes the datagrams to the agent. Datagrams that come faster than the agent takes them find no
 * receive and are dropped, and so are those without the length of a MAD. The thread goes on
 * whatever the agent throws.
 */
final class SubnetManager implements AutoCloseable {
  private static final Logger LOG = System.getLogger(SubnetManager.class.getName());

  /** The most datagrams that wait for the agent, and the most answers under way. */
  private static final int DEPTH = 128;

  private static final int RECEIVE_BYTES = Grh.LENGTH + Iba.MAD_LENGTH;

  private final SoftContext context;
  private final SoftSubnet subnet;
  private final ManagementAgent agent;
  private final CompletionChannel channel;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final SoftProtectionDomain pd;
  private final QueuePair qp;
  private final MemoryRegion memory;
  private final Set<Long> departed = ConcurrentHashMap.newKeySet();
  private final WorkCompletion received = new WorkCompletion();
  private final WorkCompletion sent = new WorkCompletion();
  private boolean hasFailed;

  private SubnetManager(SoftContext context, SoftSubnet subnet, ManagementAgent agent) {
    this.context = context;
    this.subnet = subnet;
    this.agent = agent;
    channel = context.createCompChannel();
    sendCq = context.createCq(DEPTH);
    recvCq = context.createCq(DEPTH, channel);
    pd = SoftProtectionDomain.create(context);
    qp =
        QpFactory.createManagement(
            pd,
            new QpInitAttr(QpType.UD)
                .sendCq(sendCq)
                .recvCq(recvCq)
                .sqSigAll(true)
                .cap(new QpCap(DEPTH, DEPTH, 1, 1, Iba.MAD_LENGTH)));
    memory = pd.allocMr((long) DEPTH * RECEIVE_BYTES, Access.LOCAL_WRITE);
    qp.toRts(Iba.DEFAULT_QP1_QKEY);
    for (int slot = 0; slot < DEPTH; slot++) {
      postReceive(slot);
    }
  }

  /**
   * The first agent on the class path or module path, or null.
   *
   * @throws VerbsException EIO, naming it, if it cannot be loaded
   */
  static @Nullable ManagementAgent findAgent() {
    ServiceLoader<ManagementAgent> loader =
        ServiceLoader.load(ManagementAgent.class, ManagementAgent.class.getClassLoader());
    Iterator<ManagementAgent> found = new Providers<>("openDevice", loader).iterator();
    return found.hasNext() ? found.next() : null;
  }

  /** Starts answering on this context, which it closes at its end. */
  static SubnetManager start(SoftContext context, SoftSubnet subnet, ManagementAgent agent) {
    SubnetManager manager;
    try {
      manager = new SubnetManager(context, subnet, agent);
    } catch (RuntimeException | Error e) {
      context.close();
      throw e;
    }
    subnet.whenPortLeaves(manager.departed::add);
    Thread.ofPlatform()
        .daemon()
        .name(Engine.threadName(context.device().name() + " agent"))
        .start(manager::serve);
    return manager;
  }

  private void serve() {
    try {
      while (true) {
        recvCq.reqNotify();
        while (recvCq.poll(received)) {
          take();
        }
        channel.getCqEvent().ackEvents(1);
      }
    } catch (ObjectClosedException e) {
      // The last node has left the subnet.
    } catch (InterruptedException e) {
      LOG.log(Level.WARNING, "the thread of the subnet's manager was interrupted: it ends");
    }
  }

  private void take() {
    long slot = received.wrId();
    if (!received.isSuccess()) {
      return;
    }
    boolean isMad = received.byteLen() == RECEIVE_BYTES;
    byte[] bytes =
        memory.memory().asSlice(slot * RECEIVE_BYTES, RECEIVE_BYTES).toArray(ValueLayout.JAVA_BYTE);
    postReceive(slot);
    if (isMad) {
      tellDepartures();
      hand(MemorySegment.ofArray(bytes));
    }
  }

  private void postReceive(long slot) {
    qp.postRecv(new RecvWr().wrId(slot).sgList(memory.sge(RECEIVE_BYTES, slot * RECEIVE_BYTES)));
  }

  private void tellDepartures() {
    departed.removeIf(
        portGuid -> {
          guarded(() -> agent.portLeft(subnet, portGuid));
          return true;
        });
  }

  private void hand(MemorySegment datagram) {
    guarded(
        () -> {
          MemorySegment mad = datagram.asSlice(Grh.LENGTH);
          MadSource source = source(datagram);
          AhAttr back = context.initAhFromWc(1, received, datagram);
          try (AddressHandle ah = pd.createAh(back)) {
            agent.receive(subnet, source, mad, answer -> send(answer, ah, source.qpNum()));
          }
        });
  }

  private MadSource source(MemorySegment datagram) {
    boolean isGlobal = (received.wcFlags() & WcFlags.GRH) != 0;
    Gid gid = isGlobal ? Grh.of(datagram).sgid() : null;
    return new MadSource(received.slid(), received.sl(), received.srcQp(), gid);
  }

  /** Sends a copy, because the agent may reuse the memory. */
  private void send(MemorySegment answer, AddressHandle ah, int qpNum) {
    if (answer.byteSize() != Iba.MAD_LENGTH) {
      throw new VerbsException(
          "answer", Errno.EINVAL, answer.byteSize() + " bytes, a MAD has " + Iba.MAD_LENGTH);
    }
    while (sendCq.poll(sent)) {
      // No thread waits for an answer to leave; polling makes room.
    }
    try {
      qp.postSend(
          new SendWr()
              .opcode(WrOpcode.SEND)
              .sendFlags(SendFlags.SIGNALED | SendFlags.INLINE)
              .sgList(new Sge().segment(answer))
              .ah(ah)
              .remoteQpn(qpNum)
              .remoteQkey(Iba.DEFAULT_QP1_QKEY));
    } catch (WorkRequestException e) {
      LOG.log(Level.DEBUG, "an answer of the management agent is lost: {0}", e.getMessage());
    }
  }

  /** The agent is not ours, and MADs may contain anything. */
  private void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      if (context.isClosed()) {
        return;
      }
      Level level = hasFailed ? Level.DEBUG : Level.WARNING;
      hasFailed = true;
      LOG.log(level, "the management agent failed on a datagram, which gets no answer", e);
    }
  }

  /** Ends the thread and everything else; a MAD that the agent is processing gets no answer. */
  @Override
  public void close() {
    context.close();
  }
}
