package dev.verbena.dropin;

import dev.verbena.dropin.object.Handles;
import dev.verbena.dropin.object.QpBinding;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.AddressHandle;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.Errno;
import dev.verbena.verbs.MwType;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QpType;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendOps;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.WrOpcode;
import java.util.Arrays;
import java.util.Set;
import java.util.function.LongSupplier;

/** Queue pairs to which fuzzers post, and which send to themselves. */
final class FuzzQueues {
  static final int DEPTH = 16;
  static final int MOST_SGE = 3;
  static final int MOST_INLINE = 64;
  static final int MOST_TSO_HEADER = 64;

  /** What a refused request may be told; anything else is an error of ours. */
  private static final Set<Integer> REFUSALS =
      Set.of(Errno.EINVAL, Errno.ENOMEM, Errno.EOPNOTSUPP, Errno.EPERM);

  private static final int[] PEER_RIGHTS = {
    Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC
  };

  private static final int QKEY = 0x1234;

  /** What a program's call has for an object that it leaves out. */
  static final long NONE = -1;

  static final Context CONTEXT = Devices.open("soft:new");
  static final ProtectionDomain DOMAIN = CONTEXT.allocPd();
  static final CompletionQueue CQ = CONTEXT.createCq(4 * DEPTH);
  private static final int RECEIVES = 4;
  private static final long RECEIVED = 512;

  /** A number of a queue pair whose low byte this is stands for the one for datagrams. */
  private static final int SELF = 1;

  private static final AddressHandle ADDRESS = DOMAIN.createAh(AhAttr.to(CONTEXT.queryGid(1, 0)));

  /** The handle of an address handle. */
  static final long AH = Handles.add(CONTEXT, ADDRESS);

  /** The handle of a reliable queue pair. */
  static final long RC = make(QpType.RC, allOps() & ~SendOps.TSO);

  /** The handle of a queue pair for datagrams. */
  static final long UD = make(QpType.UD, SendOps.SEND | SendOps.SEND_WITH_IMM | SendOps.TSO);

  /** What their requests may reach. */
  static final FuzzRegions REGIONS = new FuzzRegions(DOMAIN);

  /** The handles of all objects, which fuzzers meet by their index. */
  private static final long[] HANDLES = {
    AH,
    RC,
    UD,
    Handles.add(CONTEXT, REGIONS.writable()),
    Handles.add(CONTEXT, REGIONS.readable()),
    Handles.add(CONTEXT, DOMAIN.allocMw(MwType.TYPE_1)),
    Handles.add(CONTEXT, DOMAIN.allocMw(MwType.TYPE_2))
  };

  private static int allOps() {
    int ops = 0;
    for (WrOpcode opcode : WrOpcode.values()) {
      ops |= SendOps.of(opcode);
    }
    return ops;
  }

  private static long make(QpType type, int ops) {
    QpInitAttr attr =
        new QpInitAttr(type)
            .sendCq(CQ)
            .recvCq(CQ)
            .maxSendWr(DEPTH)
            .maxRecvWr(DEPTH)
            .maxSendSge(MOST_SGE)
            .maxRecvSge(MOST_SGE)
            .maxInlineData(MOST_INLINE)
            .maxTsoHeader(type == QpType.UD ? MOST_TSO_HEADER : 0)
            .sendOps(ops);
    return add(attr);
  }

  /** The handle of a new queue pair. */
  static long add(QpInitAttr attr) {
    QpBinding binding = new QpBinding(0, attr.qpType());
    binding.bind(DOMAIN.createQp(attr), attr.hasSendOps());
    return Handles.add(CONTEXT, binding);
  }

  /** A handle of one of the objects, or of none of them. */
  static int handle(FuzzMemory memory) {
    if (memory.oneIn(8)) {
      return memory.nextInt();
    }
    int index = memory.below(HANDLES.length + 1);
    return index < HANDLES.length ? (int) HANDLES[index] : -1;
  }

  /** The number of the queue pair for datagrams, or this one. */
  static int qpn(int number) {
    return FuzzMemory.choice(number) == SELF ? QpBinding.get(UD).queue().qpNum() : number;
  }

  /** Its Q_Key, or this one. */
  static int qkey(int number, int qkey) {
    return FuzzMemory.choice(number) == SELF ? QKEY : qkey;
  }

  /** Empties a queue pair, and makes it ready to send to itself. */
  static void start(long handle) {
    QpBinding binding = QpBinding.get(handle);
    binding.queue().modify(new QpAttr().qpState(QpState.RESET));
    drain();
    if (binding.type() == QpType.UD) {
      binding.queue().toRts(QKEY);
    } else {
      binding.queue().connect(binding.queue().endpoint(), PEER_RIGHTS);
    }
  }

  /** Polls until there is no completion. */
  static void drain() {
    WorkCompletion wc = new WorkCompletion();
    while (CQ.poll(wc)) {
      // Whatever it says.
    }
  }

  /** Lets a queue pair receive, into the region that may be written. */
  static void receive(long handle) {
    for (int i = 0; i < RECEIVES; i++) {
      QpBinding.get(handle)
          .queue()
          .postRecv(new RecvWr().sgList(REGIONS.writable().sge(RECEIVED, i * RECEIVED)));
    }
  }

  /**
   * Calls as the shim does; returns what it would get, and checks the errno of a refusal.
   *
   * @param others errnos that only this call is documented to have
   */
  static long answer(LongSupplier call, int... others) {
    long result;
    try {
      result = call.getAsLong();
    } catch (RuntimeException | Error e) {
      result = Attach.failed(e);
    }
    long errno = -result;
    if (errno > 0 && Arrays.stream(others).noneMatch(other -> other == errno)) {
      requireRefusal(errno);
    }
    return result;
  }

  /** Checks the errno of a refused request. */
  static void requireRefusal(long errno) {
    if (!REFUSALS.contains((int) errno)) {
      throw new AssertionError("errno " + errno);
    }
  }

  private FuzzQueues() {}
}
