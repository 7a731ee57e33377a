package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.CompletionWait;
import dev.verbena.tools.kit.Progress;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.pingpong.end.Completions;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.WcStatus;

/**
 * The exchange itself: each queue pair answers a message with one of its own and never has more
 * than one send outstanding, so a send queue of one entry is enough. A new message is sent once
 * both the last one sent and the last one received have completed, in either order. Counts are
 * totals over all queue pairs.
 */
final class PingpongLoop {
  /** At most a send and a receive can complete on a queue pair between two polls. */
  private static final int COMPLETIONS_PER_QP = 2;

  private final ExchangeOptions exchange;
  private final Completions completions;
  private final Party party;
  private final int[] qpNums;
  private final CompletionWait wait;

  /** For each queue pair, the wr_ids of the requests that must complete before it sends again. */
  private final int[] pending;

  private int sends;
  private int receives;
  private int posted;

  /** A loop on the queue pairs of {@code party}, which complete into the queue of {@code end}. */
  PingpongLoop(ExchangeOptions exchange, PingpongEnd end, Party party) {
    this.exchange = exchange;
    this.party = party;
    qpNums = party.qps().stream().mapToInt(QueuePair::qpNum).toArray();
    wait = new CompletionWait(end.cq(), exchange.common().patience(), this::silence);
    pending = new int[qpNums.length];
    completions = end.completions(COMPLETIONS_PER_QP * qpNums.length);
  }

  /** Posts the first receives, before the peer knows this end's address. */
  void prepare() {
    fillReceiveQueue();
    wait.arm();
  }

  /** Runs all exchanges; the client sends first. Returns the nanoseconds they took. */
  long run(boolean client, Progress progress) throws InterruptedException {
    long start = System.nanoTime();
    for (int i = 0; i < pending.length; i++) {
      if (client) {
        send(i);
      } else {
        pending[i] = Completions.RECV_WR_ID;
      }
    }
    while (sends < exchange.iters() || receives < exchange.iters()) {
      wait.forAny(() -> completions.take(this::take));
      progress.at(receives);
    }
    return System.nanoTime() - start;
  }

  /** Acknowledges the events taken, so that the completion queue can be destroyed. */
  void acknowledgeEvents() {
    wait.acknowledgeEvents();
  }

  private void take(long wrId, WcStatus status, int qpNum) {
    if (status != WcStatus.SUCCESS) {
      throw ToolException.failure(
          "Failed status %s (%d) for wr_id %d%s"
              .formatted(status.str(), status.number(), wrId, hint(status)));
    }
    if (wrId == Completions.SEND_WR_ID) {
      sends++;
    } else {
      receives++;
      posted--;
      if (posted <= qpNums.length) {
        fillReceiveQueue();
      }
    }
    int index = indexOf(qpNum);
    pending[index] &= (int) ~wrId;
    if (sends < exchange.iters() && pending[index] == 0) {
      send(index);
    }
  }

  private void send(int index) {
    party.postSend(index);
    pending[index] = Completions.RECV_WR_ID | Completions.SEND_WR_ID;
  }

  private int indexOf(int qpNum) {
    for (int i = 0; i < qpNums.length; i++) {
      if (qpNums[i] == qpNum) {
        return i;
      }
    }
    throw ToolException.failure("a completion of an unknown queue pair 0x%06x".formatted(qpNum));
  }

  private void fillReceiveQueue() {
    party.postRecv(exchange.rxDepth() - posted);
    posted = exchange.rxDepth();
  }

  private ToolException silence() {
    return ToolException.failure(
        ("nothing completed for %d s, after %d sends and %d receives; is the peer still running,"
                + " with the same --iters and --size?")
            .formatted(exchange.common().patience().toSeconds(), sends, receives));
  }

  private static String hint(WcStatus status) {
    return switch (status) {
      case RETRY_EXC_ERR ->
          ": the peer stopped answering, or UDP port 4791 does not reach it from here";
      case LOC_LEN_ERR, REM_INV_REQ_ERR, REM_OP_ERR -> ": do both ends have the same --size?";
      default -> "";
    };
  }
}
