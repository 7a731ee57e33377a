package dev.verbena.soft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.Region;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.memory.Window;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.memory.Windows;
import dev.verbena.soft.queue.CompletionRing;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.OwnReceives;
import dev.verbena.soft.queue.RecvQueue;
import dev.verbena.soft.queue.RecvWqe;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendQueue;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.transport.packets.Outbox;
import dev.verbena.soft.transport.packets.PacketDecoder;
import dev.verbena.soft.transport.requester.Requester;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.EventType;
import dev.verbena.verbs.FlushLevel;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.wire.Address;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.ParseResult;
import dev.verbena.wire.RocePacket;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** One side of a connection: the protocol machines of a queue pair, without engine and threads. */
final class Endpoint {
  static final int DEPTH = 128;
  static final int RIGHTS =
      Access.LOCAL_WRITE
          | Access.REMOTE_WRITE
          | Access.REMOTE_READ
          | Access.REMOTE_ATOMIC
          | Access.MW_BIND
          | Access.FLUSH_GLOBAL
          | Access.FLUSH_PERSISTENT;

  final QpParameters parameters;
  final QpCore core;
  final SendQueue sends = new SendQueue(DEPTH, 8, 256);
  final RecvQueue receives = new RecvQueue(DEPTH, 8);
  final CompletionRing sendRing;
  final CompletionRing recvRing;
  final KeyTable keys;
  final Windows windows;
  final WindowOwner owner = new WindowOwner();
  final Domain domain = new Domain();
  final Tally tally = new Tally();
  final List<EventType> events = new ArrayList<>();
  final List<String> refusals = new ArrayList<>();

  /** The other calls of the machines. */
  final List<String> told = new ArrayList<>();

  private final Journal journal = new KeptJournal();
  final QpStatus status = new QpStatus(journal);
  private boolean flushDue;

  private final class KeptJournal implements Journal {
    @Override
    public void refused(RefusedRequest request) {
      refusals.add(request.toString());
    }

    @Override
    public void changed(QpState from, QpState to) {
      told.add(from + " " + to);
    }

    @Override
    public void sendsAgain(int psn, boolean silence) {
      told.add("again from " + psn + (silence ? " after silence" : ""));
    }

    @Override
    public void nak(int psn, int syndrome, boolean sent) {
      told.add((sent ? "sent" : "got") + " nak 0x" + Integer.toHexString(syndrome) + " " + psn);
    }
  }

  /** The states in which completions, of sends and receives, were published. */
  final List<QpState> statesOfCompletions = new ArrayList<>();

  final ScriptedOut out = new ScriptedOut();

  /** That of the present connection. */
  Congestion congestion = new Congestion();

  /** Whether the peer is known to be a device like this one. */
  boolean peerIsAlike = true;

  final Requester requester;
  final Responder responder;
  final Outbox outbox;
  final Address gid;
  private final Chunk request = new Chunk();
  private long nextBase;
  private final SpanList scratch = new SpanList();
  private final RocePacket view = new RocePacket();

  Endpoint(Service service, int qpn, long host, Clock clock, int cqe) {
    gid = new Address(host, host);
    status.whenFailed(() -> flushDue = true);
    parameters = new QpParameters(qpn);
    keys = new KeyTable(new Random(host)::nextInt);
    windows = new Windows(keys);
    sendRing = ring(cqe);
    recvRing = ring(cqe);
    core =
        new QpCore(
            service,
            parameters,
            status,
            keys,
            domain,
            windows,
            owner,
            tally,
            events::add,
            clock,
            new PromptAcks(),
            journal);
    requester = new Requester(core, sends, sendRing, new AloneOperations(windows, domain, owner));
    responder = new Responder(core, new OwnReceives(receives, recvRing, domain));
    outbox = new Outbox(core, responder, () -> peerIsAlike);
    parameters.mtu(Mtu.MTU_256);
    parameters.accessFlags(RIGHTS);
    parameters.timeout(14);
    parameters.retryCount(3);
    parameters.rnrRetry(2);
    parameters.minRnrTimer(12);
    parameters.maxRdAtomic(4);
    parameters.maxDestRdAtomic(4);
  }

  /** Goes from RESET to RTS. */
  void connect(Endpoint peer, Path path, int sqPsn, int rqPsn) {
    parameters.destQpn(peer.parameters.qpNum);
    parameters.peer(peer.gid);
    connect(path);
    responder.start(rqPsn);
    outbox.clear();
    requester.start(sqPsn);
    status.state(QpState.RTS);
  }

  /** Reaches the peer another way, of which nothing was heard so far. */
  void connect(Path path) {
    congestion = new Congestion();
    requester.connect(path, gid, congestion);
  }

  /** Returns to RESET. */
  void reset() {
    status.state(QpState.RESET);
    flushDue = false;
    requester.reset();
    requester.disconnect();
    responder.reset();
    outbox.clear();
  }

  /** Registers fresh memory with all rights. */
  Block memory(long size) {
    long[] words = new long[(int) (size + 7) / 8];
    nextBase += 1 << 20;
    return register(MemorySegment.ofArray(words).asSlice(0, size), nextBase, RIGHTS);
  }

  Block memory(long size, int access, Arena arena) {
    MemorySegment segment = arena.allocate(size, 8);
    return register(segment, segment.address(), access);
  }

  private Block register(MemorySegment segment, long base, int access) {
    Region region = keys.register(segment, base, access, domain);
    assertThat(region).isNotNull();
    return new Block(region);
  }

  /** Posts a request; {@code fill} adds data and addresses. */
  void post(long id, WrOpcode opcode, int flags, Consumer<SendWqe> fill) {
    assertThat(sends.free()).isPositive();
    SendWqe wqe = sends.claim(0);
    SendOperation operation = SendOperation.of(opcode);
    // What does not count is ignored while posting.
    int effective = operation.effectiveFlags(QpType.RC, flags);
    wqe.begin(id, operation, effective, (flags & SendFlags.SIGNALED) != 0);
    fill.accept(wqe);
    sends.publish(1);
  }

  void postSend(long id, Block data, long length) {
    post(id, WrOpcode.SEND, SendFlags.SIGNALED, w -> w.data.add(data.lkey(), data.addr(), length));
  }

  void postSendImm(long id, Block data, long length, int imm) {
    post(
        id,
        WrOpcode.SEND_WITH_IMM,
        SendFlags.SIGNALED,
        w -> {
          w.data.add(data.lkey(), data.addr(), length);
          w.immOrKey(imm);
        });
  }

  void postSendInv(long id, Block data, long length, int key) {
    post(
        id,
        WrOpcode.SEND_WITH_INV,
        SendFlags.SIGNALED,
        w -> {
          w.data.add(data.lkey(), data.addr(), length);
          w.immOrKey(key);
        });
  }

  void postWrite(long id, Block data, long length, Block target) {
    postRdma(id, WrOpcode.RDMA_WRITE, data, length, target);
  }

  void postWriteImm(long id, Block data, long length, Block target, int imm) {
    post(
        id,
        WrOpcode.RDMA_WRITE_WITH_IMM,
        SendFlags.SIGNALED,
        w -> {
          w.data.add(data.lkey(), data.addr(), length);
          w.remote(target.addr(), target.rkey());
          w.immOrKey(imm);
        });
  }

  void postRead(long id, Block landing, long length, Block source) {
    postRdma(id, WrOpcode.RDMA_READ, landing, length, source);
  }

  void postFetchAdd(long id, Block landing, Block target, long add) {
    post(
        id,
        WrOpcode.ATOMIC_FETCH_AND_ADD,
        SendFlags.SIGNALED,
        w -> {
          w.data.add(landing.lkey(), landing.addr(), 8);
          w.remote(target.addr(), target.rkey());
          w.operands(0, add);
        });
  }

  void postCompareSwap(long id, Block landing, Block target, long compare, long swap) {
    post(
        id,
        WrOpcode.ATOMIC_CMP_AND_SWP,
        SendFlags.SIGNALED,
        w -> {
          w.data.add(landing.lkey(), landing.addr(), 8);
          w.remote(target.addr(), target.rkey());
          w.operands(compare, swap);
        });
  }

  Window window(boolean type2) {
    Window window = windows.allocate(type2, domain, this);
    assertThat(window).isNotNull();
    return window;
  }

  /** Binds a window to all of a block, with all rights. */
  void postBind(long id, Window window, int tag, Block target) {
    post(
        id,
        WrOpcode.BIND_MW,
        SendFlags.SIGNALED,
        w ->
            w.binding()
                .set(
                    window,
                    tag,
                    target.lkey(),
                    target.addr(),
                    target.memory().byteSize(),
                    RIGHTS & ~Access.MW_BIND));
  }

  void postInvalidate(long id, int rkey) {
    post(id, WrOpcode.LOCAL_INV, SendFlags.SIGNALED, w -> w.immOrKey(rkey));
  }

  void postFlush(long id, Block target, int type, FlushLevel level) {
    post(
        id,
        WrOpcode.FLUSH,
        SendFlags.SIGNALED,
        w -> {
          w.remote(target.addr(), target.rkey());
          w.flush(target.memory().byteSize(), type, level.number());
        });
  }

  void postAtomicWrite(long id, Block target, long value) {
    post(
        id,
        WrOpcode.ATOMIC_WRITE,
        SendFlags.SIGNALED,
        w -> {
          w.data.addInline(value);
          w.remote(target.addr(), target.rkey());
        });
  }

  void postRecv(long id, Block data) {
    postRecv(id, data, data.memory().byteSize());
  }

  void postRecv(long id, Block data, long length) {
    postRecv(id, wqe -> wqe.data().add(data.lkey(), data.addr(), length));
  }

  void postRecv(long id, Consumer<RecvWqe> fill) {
    assertThat(receives.free()).isPositive();
    RecvWqe wqe = receives.claim(0);
    wqe.begin(id);
    fill.accept(wqe);
    receives.publish(1);
  }

  /** Does what the machines can do in one turn; true if there may be more to do. */
  boolean pump() {
    int before = out.log.size();
    Budget budget = new Budget();
    flushIfDue();
    requester.run(budget);
    boolean spent = budget.isSpent();
    flushIfDue();
    budget.refill();
    responder.announceReceives(outbox);
    outbox.drain(out, budget);
    flushIfDue();
    return spent || out.log.size() > before;
  }

  /** Receives a packet as from the engine, which passes only packets of this service. */
  void arrive(Packet packet, Address source) {
    var datagram = packet.segment();
    if (view.parse(datagram, 0, datagram.byteSize()) != ParseResult.OK
        || !core.service().isCarriedBy(Opcode.row(view.opcode()).transport)) {
      return;
    }
    if (out.longPayload > 0) {
      view.mayBeLong();
    }
    if (Opcode.row(view.opcode()).isRequest) {
      PacketDecoder.request(view, source, request);
      responder.receive(request, responder.obstacle(request), outbox);
      request.payload.clear();
    } else {
      PacketDecoder.response(view, scratch, requester.completer);
    }
    flushIfDue();
  }

  private void flushIfDue() {
    if (flushDue) {
      flushDue = false;
      responder.flush();
      requester.flush();
    }
  }

  List<WorkCompletion> pollSends() {
    return poll(sendRing);
  }

  List<WorkCompletion> pollReceives() {
    return poll(recvRing);
  }

  /** Polls all completions of sends as "id status". */
  List<String> sendResults() {
    return results(pollSends());
  }

  /** Polls all completions of receives as "id status". */
  List<String> receiveResults() {
    return results(pollReceives());
  }

  long count(Counter counter) {
    return tally.get(counter);
  }

  private void postRdma(long id, WrOpcode opcode, Block local, long length, Block remote) {
    post(
        id,
        opcode,
        SendFlags.SIGNALED,
        w -> {
          w.data.add(local.lkey(), local.addr(), length);
          w.remote(remote.addr(), remote.rkey());
        });
  }

  private static List<String> results(List<WorkCompletion> completions) {
    return completions.stream()
        .map(wc -> wc.wrId() + (wc.status() == WcStatus.SUCCESS ? "" : " " + wc.status()))
        .toList();
  }

  private static List<WorkCompletion> poll(CompletionRing ring) {
    List<WorkCompletion> all = new ArrayList<>();
    WorkCompletion next = new WorkCompletion();
    while (ring.poll(next)) {
      all.add(next);
      next = new WorkCompletion();
    }
    return all;
  }

  private CompletionRing ring(int cqe) {
    return new CompletionRing(
        cqe,
        new Guard() {
          @Override
          public void enter() {}

          @Override
          public boolean tryEnter() {
            return true;
          }

          @Override
          public void exit() {
            statesOfCompletions.add(status.state);
          }

          @Override
          public void takeOver() {}

          @Override
          public void open() {}

          @Override
          public boolean isHeldByCurrentThread() {
            return false;
          }
        },
        Guard.NONE,
        CompletionRing.Options.usual(() -> 0),
        CompletionRing.Listener.NONE);
  }
}
