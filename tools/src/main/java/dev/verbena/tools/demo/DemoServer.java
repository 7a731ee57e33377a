package dev.verbena.tools.demo;

import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.Sge;
import dev.verbena.verbs.WorkCompletion;
import dev.verbena.verbs.vtools.Completions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/**
 * The server's side of the rounds: prepares its memory, tells the client, sleeps (until an event if
 * messages complete receives), and then reports what it found in its memory.
 */
final class DemoServer {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final DemoEnd end;
  private final WorkCompletion completion = new WorkCompletion();
  private final DataInputStream in;
  private final DataOutputStream out;
  private final Sge sge = new Sge();
  private final RecvWr recv = new RecvWr().sgList(sge);

  DemoServer(DemoEnd end, Socket control) throws IOException {
    this.end = end;
    in = new DataInputStream(control.getInputStream());
    out = new DataOutputStream(control.getOutputStream());
  }

  /** Serves rounds until the client closes the connection. */
  void serve() throws IOException {
    while (true) {
      Round round;
      try {
        round = Round.read(in);
      } catch (EOFException e) {
        return;
      }
      prepare(round);
      out.writeBoolean(true);
      String wrong = round.operation().consumesReceive() ? receive(round) : "";
      in.readBoolean();
      out.writeUTF(wrong.isEmpty() ? check(round) : wrong);
    }
  }

  private void prepare(Round round) {
    switch (round.operation()) {
      case SEND -> {
        end.clear(round);
        postReceives(round, round.size());
      }
      case RDMA_WRITE_WITH_IMM -> {
        end.clear(round);
        postReceives(round, 0);
      }
      case RDMA_WRITE -> end.clear(round);
      case RDMA_READ -> {
        for (int i = 0; i < round.messages(); i++) {
          end.slot(round, i).copyFrom(end.pattern().slice(round.first() + i, round.size()));
        }
      }
      case ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> {
        Atomics atomics = new Atomics(end.pattern(), round);
        for (int i = 0; i < round.messages(); i++) {
          end.number(round, i, atomics.initial(i));
        }
      }
    }
  }

  private void postReceives(Round round, int length) {
    for (int i = 0; i < round.messages(); i++) {
      sge.set(end.slots().addr() + round.offset(i), length, end.slots().lkey());
      end.qp().postRecv(recv.wrId(i));
    }
  }

  /** Takes the receives of a round; returns the first error, or "". */
  private String receive(Round round) {
    String wrong = "";
    for (int i = 0; i < round.messages(); i++) {
      WorkCompletion wc = completion;
      Completions.await(end.cq(), wc, PATIENCE);
      if (wc.wrId() != i) {
        wrong = "receive " + wc.wrId() + " completed where " + i + " was next";
      } else if (wc.byteLen() != round.size()) {
        wrong = "receive " + i + " has " + wc.byteLen() + " bytes, not " + round.size();
      } else if (round.operation() == Operation.RDMA_WRITE_WITH_IMM
          && (!wc.hasImm() || wc.immData() != round.first() + i)) {
        wrong =
            "receive " + i + " does not have the immediate data " + (round.first() + i) + ": " + wc;
      }
    }
    return wrong;
  }

  /** The first error in the memory after a round, or "". */
  private String check(Round round) {
    Atomics atomics = new Atomics(end.pattern(), round);
    for (int i = 0; i < round.messages(); i++) {
      if (round.operation().isAtomic()) {
        if (end.number(round, i) != atomics.expectedFinal(i)) {
          return "slot %d holds 0x%016x, not 0x%016x"
              .formatted(i, end.number(round, i), atomics.expectedFinal(i));
        }
      } else {
        String difference = end.pattern().difference(round.first() + i, end.slot(round, i));
        if (difference != null) {
          return "message " + i + ": " + difference;
        }
      }
    }
    return "";
  }
}
