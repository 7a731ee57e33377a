package dev.verbena.soft.engine;

import dev.verbena.soft.engine.journal.QpJournal;
import dev.verbena.soft.engine.progress.Alarm;
import dev.verbena.soft.engine.progress.Attendance;
import dev.verbena.soft.engine.progress.Failures;
import dev.verbena.soft.engine.progress.Rank;
import dev.verbena.soft.engine.progress.RankedGuard;
import dev.verbena.soft.engine.progress.Schedule;
import dev.verbena.soft.engine.qp.Departures;
import dev.verbena.soft.engine.qp.Fabric;
import dev.verbena.soft.engine.qp.Host;
import dev.verbena.soft.engine.qp.LoopbackOrPackets;
import dev.verbena.soft.engine.qp.Multicast;
import dev.verbena.soft.engine.qp.PathChooser;
import dev.verbena.soft.engine.qp.QpRuntime;
import dev.verbena.soft.engine.qp.QpSetup;
import dev.verbena.soft.engine.qp.QpTable;
import dev.verbena.soft.engine.tx.Listeners;
import dev.verbena.soft.engine.tx.Transmitter;
import dev.verbena.soft.engine.tx.TxPort;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.Windows;
import dev.verbena.soft.queue.Guard;
import dev.verbena.soft.queue.XrcQueue;
import dev.verbena.soft.transport.AckPolicy;
import dev.verbena.soft.transport.Clock;
import dev.verbena.soft.transport.PromptAcks;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.QpStatus;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.Tally;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.VerbsException;
import dev.verbena.verbs.provider.WaitSignal;
import dev.verbena.wire.Address;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The engine of an open device: its queue pairs, its link, its timers, its thread. Doorbells and
 * polling ({@link #progress}) make progress, and the thread does when nobody polls.
 */
public final class Engine implements Host, AutoCloseable {
  /** The most queue pairs and work queues of one device that can have a number at the same time. */
  public static final int QP_NUMBERS = QpTable.CAPACITY;

  private static final Logger LOG = System.getLogger(Engine.class.getName());

  /**
   * Datagrams of one turn; fewer in large groups, so that at most 128 KiB of payload are copied
   * under link.rx, or one datagram, once for each member.
   */
  private static final int BATCH = 32;

  /** Full batches in a row after which timers expire anyway. */
  private static final int MOST_FULL_BATCHES = 16;

  /** {@link #receive} did nothing, because another thread is receiving. */
  private static final int OTHERS_RECEIVE = -1;

  /**
   * A power of two: after this many polls a device without packet traffic reads its link anyway.
   */
  private static final int QUIET_POLLS = 64;

  /** A power of two: after this many empty polls the thread yields the processor. */
  private static final int YIELD_POLLS = 16;

  /** How long nothing must have arrived before polls yield the processor. */
  private static final long YIELD_NANOS = 50_000;

  /** How long after packets of this computer more of them are expected. */
  private static final long HOST_NANOS = 50_000;

  /** Meanwhile, how often a receiver looks at the network, which costs a system call. */
  private static final long NETWORK_NANOS = 5_000;

  private final EngineOptions options;
  private final Link link;

  /** To other processes of this computer; null if they are reached by {@link #link} as well. */
  private final @Nullable Link host;

  private final Address address;
  private final Fabric fabric;
  private final RandomGenerator random;
  private final KeyTable keys;
  private final Windows memoryWindows;
  private final Failures failures;
  private final QpTable<QpRuntime> table;
  private final QpTable<XrcQueue> xrcQueues;

  /** While there is one, every poll reads the link. */
  final Listeners listeners = new Listeners();

  private final Clock clock;
  private final Schedule schedule;

  /** When the program was last at work. */
  final Attendance attendance;

  private final AckPolicy acks = new PromptAcks();
  private final PathChooser paths;
  private final TxPort port;

  /** For {@link #host}; it keeps no packet back. */
  private final @Nullable TxPort hostPort;

  private final Guard receiveGuard;
  private final Inbound inbound;
  private final Multicast multicast;
  private final Lingering lingering;
  private final @Nullable EngineThread thread;

  /** Empty polls; lost concurrent updates do not matter. */
  private int polls;

  /** When packets last were received, engine time. */
  private long receivedAt;

  // Written by any thread that takes a turn; lost updates do not matter.
  private int fullBatches;

  /** Whether the last packets came from this computer; lost updates do not matter. */
  private boolean hostMailCame;

  // Under the receive guard.
  private final Departures departures = new Departures();

  /** Whether the last look found the network's link empty. */
  private boolean networkIsEmpty;

  private long hostMailAt = Long.MIN_VALUE / 2;
  private long linkReadAt = Long.MIN_VALUE / 2;
  private boolean linkClosed;

  /** Starts an engine with one link, which it closes at its end. */
  public Engine(EngineOptions options, Link link, Fabric fabric) {
    this(options, link, null, fabric);
  }

  /**
   * Starts an engine, which closes its links at its end.
   *
   * @param link reaches everybody
   * @param host reaches processes of this computer without that, and its {@link Link#await} waits
   *     for both; or null
   * @param fabric the reachable engines
   */
  public Engine(EngineOptions options, Link link, @Nullable Link host, Fabric fabric) {
    this.options = options;
    this.link = link;
    this.host = host;
    address = link.address();
    this.fabric = fabric;
    random = new SharedRandom(options.random());
    keys = new KeyTable(random::nextInt);
    memoryWindows = new Windows(keys);
    failures = new Failures(options.name(), options.tally());
    table = new QpTable<>(random);
    xrcQueues = new QpTable<>(random);
    clock = options.clock();
    schedule = new Schedule(clock, failures);
    attendance = schedule.attendance();
    port = new TxPort(link, newGuard(Rank.LINK_TX), clock, schedule);
    hostPort = host == null ? null : new TxPort(host, newGuard(Rank.LINK_TX), clock, schedule);
    paths = new LoopbackOrPackets(fabric, options.loopback(), address, port, hostPort);
    receiveGuard = newGuard(Rank.LINK_RX);
    multicast = new Multicast(options.name(), address, new LinkMembership(), options.admission());
    inbound = new Inbound(table, multicast, options.tally(), failures, options.checkIcrc());
    lingering = new Lingering(this, this::end);
    thread =
        options.threaded()
            ? new EngineThread(options.name(), this, host == null ? link : host, schedule, failures)
            : null;
    fabric.enter(this);
    if (options.loopback()) {
      fabric.join(this);
    }
    if (thread != null) {
      schedule.waker(thread);
      thread.start();
    }
  }

  /** The device's regions. */
  public KeyTable keys() {
    return keys;
  }

  /** The device's memory windows. */
  public Windows windows() {
    return memoryWindows;
  }

  /** What other processes may use of the device without packets; null if they use packets. */
  public @Nullable Exports exports() {
    return host == null ? link.exports() : host.exports();
  }

  @Override
  public Tally tally() {
    return options.tally();
  }

  @Override
  public Clock clock() {
    return clock;
  }

  /** The device's random source; any thread may use it. */
  public RandomGenerator random() {
    return random;
  }

  /** A new guard; in the test build it checks that threads keep the order of ranks. */
  public Guard newGuard(Rank rank) {
    return RankedGuard.make(rank);
  }

  /** A new alarm, which passes the time to its owner when it rings. */
  public Alarm newAlarm(LongConsumer owner) {
    return new Alarm(schedule, owner);
  }

  /** A new signal for an event queue. */
  public WaitSignal newSignal() {
    return new WaitSignal(schedule.waker()::someoneWaits);
  }

  /**
   * Makes the running half of a queue pair, in RESET, and draws its number unless it has one.
   *
   * @throws VerbsException ENOMEM if all {@link #QP_NUMBERS} are taken
   */
  public QpRuntime attach(QpSetup setup) {
    int fixed = setup.number();
    int number = fixed == 0 ? table.draw() : table.reserve(fixed) ? fixed : -1;
    if (number < 0) {
      throw new VerbsException(
          "createQp",
          Errno.ENOMEM,
          options.name() + ": all " + QP_NUMBERS + " queue pair numbers are taken; destroy one");
    }
    QpParameters parameters = new QpParameters(number);
    QpJournal journal = new QpJournal(options.name(), parameters, failures);
    QpCore core =
        new QpCore(
            Service.of(setup.type()),
            parameters,
            new QpStatus(journal),
            keys,
            setup.domain(),
            memoryWindows,
            setup.newWindowOwner(),
            tally().part(),
            setup.events(),
            clock(),
            acks,
            journal);
    QpRuntime qp =
        new QpRuntime(
            this,
            paths,
            options.congestion(),
            schedule,
            core,
            setup,
            new Transmitter(port, hostPort, listeners, core.tally()));
    table.put(number, qp);
    return qp;
  }

  /**
   * Registers an XRC shared receive queue under a new number.
   *
   * @return the number, or -1 if there are too many
   */
  public int addXrcQueue(XrcQueue queue) {
    int number = xrcQueues.draw();
    if (number >= 0) {
      xrcQueues.put(number, queue);
    }
    return number;
  }

  /**
   * Removes an XRC shared receive queue. When this returns no thread uses it. The caller holds no
   * guard but post guards.
   */
  public void removeXrcQueue(int number, XrcQueue queue) {
    xrcQueues.remove(number);
    quiesce(queue.domain());
  }

  /** The XRC shared receive queue with this number, or null. */
  public @Nullable XrcQueue findXrcQueue(int number) {
    return xrcQueues.find(number);
  }

  /**
   * Removes a queue pair: it receives nothing and adds no completions any more. Idempotent. If
   * packets get lost it goes on answering what its peer repeats, see {@link Lingering}.
   */
  public void detach(QpRuntime qp) {
    if (!lingering.takes(qp)) {
      end(qp);
    }
  }

  private void end(QpRuntime qp) {
    // In this order, because a quiesce that no longer finds it must not miss a thread under its
    // guards.
    qp.detach();
    qp.tally.end();
    table.remove(qp.qpNum());
  }

  /**
   * Does what is due now; called by a thread whose poll found nothing. Never blocks, allocates
   * nothing.
   */
  @SuppressWarnings("ThreadPriorityCheck") // correct without the yield, only later
  public void progress() {
    int count = ++polls;
    if (!listeners.any && thread != null && (count & (QUIET_POLLS - 1)) != 0) {
      // No packet is expected, so the loopback does not pay for reading the socket.
      if (schedule.hasReady() || schedule.nextTimer() != Clock.NEVER) {
        serve(clock.now(), true);
      }
      return;
    }
    long now = clock.now();
    boolean answers = attendance.comes(now);
    // Where one message is awaited, it does not wait for the call that finds no second one.
    int wanted = answers && fullBatches == 0 ? 1 : BATCH;
    int received = receive(now, wanted);
    schedule.turn(now, mayExpire(received));
    if (port.waiting) {
      boolean message = received > 0 && !hostMailCame && port.onlyAnswerWaits;
      if (!(message && attendance.messageCame() && mayLeaveAnswer())) {
        sendWaiting(port);
      }
    }
    long end = received == 0 ? now : clock.now();
    boolean takesAll = attendance.goes(end, Math.clamp(received, 0, wanted));
    if (takesAll && thread != null) {
      // So the engine thread need not sleep at the link.
      thread.workWaits();
    }
    if (received == 0 && (count & (YIELD_POLLS - 1)) == 0 && now - receivedAt > YIELD_NANOS) {
      // The thread that this one waits for may be waiting for this processor.
      Thread.yield();
    }
  }

  /**
   * For an engine without a thread: does what is due at a moment.
   *
   * @param now the clock's time
   * @return whether anything was done
   */
  public boolean step(long now) {
    int received = receive(now, BATCH);
    return serve(now, mayExpire(received)) > 0 || received > 0;
  }

  /**
   * When {@link #step} has something to do even if nothing arrives and the link takes no refused
   * packet, or {@link Clock#NEVER}; in the past if it has something to do now.
   */
  public long nextDeadline() {
    return schedule.hasReady() ? 0 : nextTimedWork();
  }

  /** One turn; returns how many packets were received. */
  private int turn(long now) {
    int received = receive(now, BATCH);
    serve(now, mayExpire(received));
    return received;
  }

  /** Serves the schedule, and sends the results; returns how many were served. */
  private int serve(long now, boolean mayExpire) {
    int served = schedule.turn(now, mayExpire);
    sendLeft();
    return served;
  }

  /** Sends what waits, such as the answer that a poll has left. */
  void sendLeft() {
    if (port.waiting) {
      sendWaiting(port);
    }
    if (hostPort != null && hostPort.waiting) {
      sendWaiting(hostPort);
    }
  }

  private void sendWaiting(TxPort from) {
    try {
      from.flush();
    } catch (RuntimeException | Error e) {
      // As with a failing queue pair, the thread that took this turn need not know.
      failures.add("sending what was committed", e);
    }
  }

  /**
   * Whether the answer to a message that a poll has just received may wait for the program's next
   * call: in a ping-pong that sends the next message, which then shares a run with the answer. The
   * program does not wait for the answer, and its peer waits for the message. Only while the engine
   * thread watches, which sends the answer if no call comes.
   */
  private boolean mayLeaveAnswer() {
    // If the thread steps in after this, it finds what waits.
    return thread != null && thread.watching;
  }

  /** What remains after a turn of the engine thread. */
  enum Turn {
    /** There is more to do now. */
    MORE,
    /**
     * There is something to do, but another thread is doing it: a poller that has lost its
     * processor, perhaps to this thread.
     */
    HELD,
    /** Packets came, and all were handled. */
    RECEIVED,
    /** There is nothing to do until something happens. */
    DONE
  }

  /** One turn of the engine thread. */
  Turn turnOfThread(long now) {
    int received = turn(now);
    if (received == BATCH || schedule.hasReady()) {
      return Turn.MORE;
    }
    if (received == OTHERS_RECEIVE || nextTimedWork() <= now) {
      return Turn.HELD;
    }
    return received > 0 ? Turn.RECEIVED : Turn.DONE;
  }

  /**
   * Whether timers may expire after this many packets were received: not while answers may still
   * wait in the link, because a delayed thread would take them for lost. A flood of packets does
   * not stop the timers for ever.
   */
  private boolean mayExpire(int received) {
    if (received == BATCH && fullBatches < MOST_FULL_BATCHES) {
      fullBatches++;
      return false;
    }
    fullBatches = 0;
    return received != OTHERS_RECEIVE;
  }

  /**
   * Receives until there are as many; returns how many packets, {@link #BATCH} if there may be
   * more, or {@link #OTHERS_RECEIVE}.
   */
  private int receive(long now, int wanted) {
    if (!receiveGuard.tryEnter()) {
      return OTHERS_RECEIVE;
    }
    try {
      int most = Math.min(wanted, BATCH / Math.clamp(multicast.largestGroup, 1, BATCH));
      int count;
      if (linkClosed) {
        count = 0;
      } else if (host == null) {
        count = link.receive(inbound, most, now);
        networkIsEmpty = count < most;
      } else {
        count = receive(host, most, now);
      }
      inbound.countReceived();
      if (count > 0) {
        receivedAt = now;
      }
      if (count >= most) {
        return BATCH;
      }
      if (departures.any && networkIsEmpty) {
        departures.forget();
      }
      return count;
    } finally {
      receiveGuard.exit();
    }
  }

  /**
   * Receives from both links. A call that looks at the network leaves a quarter of its packets for
   * it, so the host cannot starve it.
   */
  private int receive(Link ofHost, int most, long now) {
    boolean looks = now - hostMailAt > HOST_NANOS || now - linkReadAt > NETWORK_NANOS;
    int count = ofHost.receive(inbound, looks ? most - most / 4 : most, now);
    hostMailCame = count > 0;
    networkIsEmpty = false;
    if (hostMailCame) {
      hostMailAt = now;
    }
    if (looks) {
      linkReadAt = now;
      int left = Math.max(1, most - count);
      int received = link.receive(inbound, left, now);
      networkIsEmpty = received < left;
      count += received;
    }
    return count;
  }

  /** Whether packets from peers were damaged on the way. */
  boolean hasMetDamage() {
    return inbound.hasMetDamage();
  }

  /** When a timer or the link has something to do. */
  long nextTimedWork() {
    return Math.min(schedule.nextTimer(), link.deadline());
  }

  /**
   * Returns when no thread is inside memory of this domain under a key that it looked up before
   * this call. The caller holds no guard but post guards.
   */
  public void quiesce(Domain domain) {
    table.forEach(qp -> qp.quiesce(domain));
  }

  /**
   * Returns when no other process is inside a region of this domain that was withdrawn before this
   * call. The caller holds no guard but post guards.
   */
  public void quiesceExports(Domain domain) {
    table.forEach(qp -> qp.quiesceExport(domain));
  }

  @Override
  public void quiesceAnswers(Domain domain) {
    table.forEach(qp -> qp.quiesceAnswers(domain));
  }

  @Override
  public void neighborLeaves(Address neighbor) {
    receiveGuard.enter();
    try {
      departures.add(neighbor);
    } finally {
      receiveGuard.exit();
    }
  }

  @Override
  public @Nullable QpRuntime find(int qpNum) {
    return table.find(qpNum);
  }

  /** The thread, or null. */
  @Nullable EngineThread thread() {
    return thread;
  }

  /**
   * The name of a thread of the device. It always begins with "verbena ", and is short enough for
   * the operating system to keep, so that debuggers and signal handlers can recognise the threads
   * that copy from and to registered memory.
   *
   * @param device name of the device, and the purpose of the thread
   */
  public static String threadName(String device) {
    return "verbena " + device;
  }

  /** The device's name. */
  public String name() {
    return options.name();
  }

  public Failures failures() {
    return failures;
  }

  @Override
  public Multicast multicast() {
    return multicast;
  }

  /** Joining and leaving count as receiving. */
  private final class LinkMembership implements Multicast.Membership {
    @Override
    public void join(Address group) {
      whileOpen(() -> link.join(group));
    }

    @Override
    public void leave(Address group) {
      whileOpen(() -> link.leave(group));
    }

    @Override
    public void quiesce() {
      receiveGuard.enter();
      receiveGuard.exit();
    }

    @Override
    public boolean isNear(Address sender) {
      return options.loopback() && (fabric.find(sender) != null || departures.include(sender));
    }

    private void whileOpen(Runnable change) {
      receiveGuard.enter();
      try {
        if (!linkClosed) {
          change.run();
        }
      } finally {
        receiveGuard.exit();
      }
    }
  }

  @Override
  public Address address() {
    return address;
  }

  /** Whether the device's address exists and its interface is up; false once closed. */
  public boolean isUp() {
    receiveGuard.enter();
    try {
      return !linkClosed && link.state().isUp();
    } finally {
      receiveGuard.exit();
    }
  }

  /**
   * Ends all traffic, the thread and the link. Idempotent.
   *
   * @throws AssertionError in the test build, if a failure of this library was logged
   */
  @Override
  public void close() {
    if (thread != null) {
      lingering.await(thread::isAlive);
    }
    table.forEach(this::end);
    fabric.leave(this);
    if (thread != null && !thread.stop()) {
      LOG.log(Level.WARNING, "{0}: the engine thread did not end in time", options.name());
    }
    port.close();
    if (hostPort != null) {
      hostPort.close();
    }
    receiveGuard.enter();
    try {
      if (linkClosed) {
        return;
      }
      linkClosed = true;
      try {
        if (host != null) {
          host.close();
        }
      } finally {
        link.close();
      }
    } finally {
      receiveGuard.exit();
    }
    Throwable failure = failures.first();
    if (RankedGuard.CHECKING && failure != null) {
      throw new AssertionError(options.name() + ": the engine has failed", failure);
    }
  }
}
