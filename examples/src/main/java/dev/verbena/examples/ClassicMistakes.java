package dev.verbena.examples;

import static dev.verbena.verbs.Access.LOCAL_WRITE;
import static dev.verbena.verbs.Access.REMOTE_READ;
import static dev.verbena.verbs.Access.REMOTE_WRITE;

import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Context;
import dev.verbena.verbs.Devices;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.RdmaException;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.WrOpcode;
import dev.verbena.verbs.vtools.Completions;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.time.Duration;

/** The ten classic mistakes of docs/guide.md, and what a program is told about them. */
public final class ClassicMistakes {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** A mistake. */
  enum Mistake {
    NOT_SIGNALED(1),
    RIGHT_OF_CONNECT(2),
    STALE_RKEY(3),
    NO_RECEIVE(4),
    SHORT_RECEIVE(5),
    CONFINED_ARENA(6),
    WRONG_LKEY(7),
    NOT_CONNECTED(8),
    NEVER_SIGNALED(9),
    CLOSED_TOO_EARLY(10);

    private final int number;

    Mistake(int number) {
      this.number = number;
    }

    /** Its number in the guide. */
    int number() {
      return number;
    }
  }

  /** Makes all mistakes, and prints the messages. */
  public static void main(String[] args) {
    run("soft:new", System.out);
  }

  static void run(String device, PrintStream out) {
    for (Mistake mistake : Mistake.values()) {
      out.println(mistake.number() + ". " + message(device, mistake));
    }
  }

  /** What the program is told about a mistake. */
  static String message(String device, Mistake mistake) {
    try (Context ctx = Devices.open(device)) {
      new Pair(ctx).make(mistake);
    } catch (RdmaException e) {
      return String.valueOf(e.getMessage());
    }
    throw new IllegalStateException("nobody noticed " + mistake);
  }

  /** Two queue pairs that are not connected yet, and memory of both. */
  private static final class Pair {
    private final CompletionQueue cq;
    private final ProtectionDomain pd;
    private final QueuePair a;
    private final QueuePair b;
    private final MemoryRegion src;
    private final MemoryRegion dst;

    Pair(Context ctx) {
      cq = ctx.createCq(64, ctx.createCompChannel());
      pd = ctx.allocPd();
      a = pd.createQp(QpInitAttr.rc(cq).maxSendWr(8));
      b = pd.createQp(QpInitAttr.rc(cq));
      src = pd.allocMr(4096, LOCAL_WRITE);
      dst = pd.allocMr(4096, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);
    }

    void make(Mistake mistake) {
      switch (mistake) {
        case NOT_SIGNALED -> notSignaled();
        case RIGHT_OF_CONNECT -> rightOfConnect();
        case STALE_RKEY -> staleRkey();
        case NO_RECEIVE -> noReceive();
        case SHORT_RECEIVE -> shortReceive();
        case CONFINED_ARENA -> confinedArena();
        case WRONG_LKEY -> wrongLkey();
        case NOT_CONNECTED -> a.postSend(write());
        case NEVER_SIGNALED -> neverSignaled();
        case CLOSED_TOO_EARLY -> closedTooEarly();
      }
    }

    private SendWr write() {
      return new SendWr()
          .opcode(WrOpcode.RDMA_WRITE)
          .sendFlags(SendFlags.SIGNALED)
          .sgList(src.sgeAt(0, 100))
          .remoteAddr(dst.addr())
          .rkey(dst.rkey());
    }

    private SendWr send() {
      SendWr wr = new SendWr().opcode(WrOpcode.SEND).sendFlags(SendFlags.SIGNALED);
      return wr.sgList(src.sgeAt(0, 100));
    }

    private void connect() {
      a.connect(b.endpoint());
      b.connect(a.endpoint(), REMOTE_READ, REMOTE_WRITE);
    }

    private void notSignaled() {
      connect();
      a.postSend(write().sendFlags(0));
      Completions.await(cq, Duration.ofMillis(100));
    }

    private void rightOfConnect() {
      a.connect(b.endpoint());
      b.connect(a.endpoint());
      a.postSend(write());
      Completions.await(cq, PATIENCE);
    }

    private void staleRkey() {
      connect();
      SendWr wr = write();
      dst.close();
      a.postSend(wr);
      Completions.await(cq, PATIENCE);
    }

    private void noReceive() {
      a.connect(a.endpoint(), b.endpoint(), new QpAttr().rnrRetry(3));
      b.connect(a.endpoint());
      a.postSend(send());
      Completions.await(cq, PATIENCE);
    }

    private void shortReceive() {
      connect();
      b.postRecv(new RecvWr().sgList(dst.sgeAt(0, 99)));
      a.postSend(send());
      Completions.await(cq, PATIENCE);
    }

    private void confinedArena() {
      try (Arena arena = Arena.ofConfined()) {
        pd.regMr(arena.allocate(4096), LOCAL_WRITE);
      }
    }

    private void wrongLkey() {
      connect();
      MemoryRegion other = pd.context().allocPd().allocMr(4096, LOCAL_WRITE);
      a.postSend(write().sgList(other.sge()));
      Completions.await(cq, PATIENCE);
    }

    private void neverSignaled() {
      connect();
      for (int i = 0; i < 100; i++) {
        a.postSend(write().sendFlags(0));
      }
    }

    private void closedTooEarly() {
      cq.close();
    }
  }

  private ClassicMistakes() {}
}
