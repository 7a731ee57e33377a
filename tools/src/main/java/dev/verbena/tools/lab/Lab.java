package dev.verbena.tools.lab;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.DeviceSpec;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.verbs.LinkKind;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WcException;
import dev.verbena.verbs.vtools.Completions;
import dev.verbena.verbs.vtools.CqPoller;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two queue pairs, each on a device of its own, one operation between them, and what came of it.
 * Both devices capture into one file.
 */
final class Lab {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A message that has lost a packet on UC never comes; others take microseconds. */
  private static final Duration UNRELIABLE_PATIENCE = Duration.ofMillis(200);

  /**
   * 4.096 microseconds times 2 to the power of this, a quarter of a second: what the requester
   * waits for should be the fault, and not a computer that is busy.
   */
  private static final int TIMEOUT = 16;

  private static final long NUMBER = 41;
  private static final double NANOS_PER_MILLI = 1e6;

  private final Operation operation;
  private final int size;
  private final List<String> outcome = new ArrayList<>();

  private Lab(Operation operation, int size) {
    this.operation = operation;
    this.size = size;
  }

  /**
   * Does it once, and says in lines what came of it; the devices' capture is then complete.
   *
   * @param capture the file; null for none
   */
  static List<String> run(Operation operation, int size, Ends ends, @Nullable Path capture) {
    Lab lab = new Lab(operation, size);
    try (Context requester = Devices.open(ends.requester(capture));
        Context responder = Devices.open(ends.responder(capture))) {
      lab.run(requester, responder);
      lab.tellWhatWasNeverSent("requester", ends.requests(), requester);
      lab.tellWhatWasNeverSent("responder", ends.answers(), responder);
    }
    return lab.outcome;
  }

  /**
   * The devices, in memory, at addresses that ladders have room for.
   *
   * @param requests faults for what the requester sends
   * @param answers faults for what the responder sends
   */
  record Ends(FaultSpec requests, FaultSpec answers) {
    private DeviceSpec requester(@Nullable Path capture) {
      return device("10.77.0.1", requests, capture);
    }

    private DeviceSpec responder(@Nullable Path capture) {
      return device("10.77.0.2", answers, capture);
    }

    private static DeviceSpec device(String address, FaultSpec faults, @Nullable Path capture) {
      DeviceSpec device = DeviceSpec.soft(address).link(LinkKind.PACKET).faults(faults);
      return capture == null ? device : device.capture(capture);
    }
  }

  private void run(Context here, Context there) {
    ProtectionDomain pd = here.allocPd();
    ProtectionDomain peerPd = there.allocPd();
    CompletionQueue sends = here.createCq(4, here.createCompChannel());
    CompletionQueue receives = there.createCq(4, there.createCompChannel());
    MemoryRegion ours = pd.allocMr(size, Access.LOCAL_WRITE);
    MemoryRegion theirs =
        peerPd.allocMr(
            size,
            Access.LOCAL_WRITE,
            Access.REMOTE_WRITE,
            Access.REMOTE_READ,
            Access.REMOTE_ATOMIC);
    QueuePair requester = pd.createQp(attr(sends));
    QueuePair responder = peerPd.createQp(attr(receives));
    connect(requester, responder);
    connect(responder, requester, allowed());
    fill(operation == Operation.READ ? theirs.memory() : ours.memory());
    if (operation == Operation.ADD) {
      theirs.memory().set(ValueLayout.JAVA_LONG, 0, NUMBER);
    }
    if (operation.needsReceive()) {
      responder.postRecv(new RecvWr().sgList(theirs.sge()));
    }
    if (complete(requester, sends, ours, theirs)) {
      tellWhatArrived(receives, ours.memory(), theirs.memory());
    }
    outcome.add(
        "packets: %d dropped, %d sent again by the requester, %d time-outs"
            .formatted(
                here.counters().get(Counter.FAULTS_DROPPED)
                    + there.counters().get(Counter.FAULTS_DROPPED),
                here.counters().get(Counter.RETRANSMITTED),
                here.counters().get(Counter.TIMEOUTS)));
  }

  /** Of RC with a time-out that a busy computer keeps, too. */
  private void connect(QueuePair qp, QueuePair peer, int... access) {
    QpAttr attr = new QpAttr();
    if (operation.type == QpType.RC) {
      attr.timeout(TIMEOUT);
    }
    qp.connect(qp.endpoint(), peer.endpoint(), attr, access);
  }

  private QpInitAttr attr(CompletionQueue cq) {
    return operation.type == QpType.RC ? QpInitAttr.rc(cq) : QpInitAttr.uc(cq);
  }

  private int[] allowed() {
    return operation.type == QpType.RC
        ? new int[] {Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC}
        : new int[] {Access.REMOTE_WRITE};
  }

  private static void fill(MemorySegment memory) {
    for (long i = 0; i < memory.byteSize(); i++) {
      memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + 7));
    }
  }

  /** Posts the request and waits for its completion; returns whether it was successful. */
  private boolean complete(
      QueuePair requester, CompletionQueue cq, MemoryRegion ours, MemoryRegion theirs) {
    SendWr request =
        new SendWr()
            .opcode(operation.opcode)
            .sendFlags(SendFlags.SIGNALED)
            .sgList(ours.sge())
            .remoteAddr(theirs.addr())
            .rkey(theirs.rkey())
            .compareAdd(1);
    long start = System.nanoTime();
    String status = "SUCCESS";
    try {
      requester.postSend(request);
      Completions.await(cq, PATIENCE);
    } catch (WcException e) {
      status = e.workCompletion().status().toString();
    }
    double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
    outcome.add("%s of %d bytes: %s after %.1f ms".formatted(operation, size, status, millis));
    return status.equals("SUCCESS");
  }

  private void tellWhatArrived(CompletionQueue receives, MemorySegment ours, MemorySegment theirs) {
    if (operation == Operation.ADD) {
      outcome.add(
          "the responder's number was %d, and is %d"
              .formatted(ours.get(ValueLayout.JAVA_LONG, 0), theirs.get(ValueLayout.JAVA_LONG, 0)));
    } else if (operation.needsReceive()) {
      boolean received = hasReceived(receives);
      outcome.add(
          "the responder has received " + (received ? "the message" : "nothing, and is not told"));
    } else {
      boolean equal = ours.mismatch(theirs) < 0;
      outcome.add(
          (operation == Operation.READ ? "the requester" : "the responder")
              + (equal ? " has all bytes" : " does not have all bytes, and nobody is told"));
    }
  }

  private boolean hasReceived(CompletionQueue receives) {
    Duration patience = operation.type == QpType.RC ? PATIENCE : UNRELIABLE_PATIENCE;
    return new CqPoller(receives).iterwc(patience).iterator().hasNext();
  }

  /** Packets that were to be lost, but the operation has ended without them. */
  private void tellWhatWasNeverSent(String end, FaultSpec faults, Context context) {
    long sent = context.counters().get(Counter.PACKETS_SENT);
    faults.dropNth().stream()
        .filter(number -> number > sent)
        .map(
            number ->
                "packet %d was never sent: the %s sent %d in all".formatted(number, end, sent))
        .forEach(outcome::add);
  }
}
