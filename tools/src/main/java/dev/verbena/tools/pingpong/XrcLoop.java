package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.CompletionWait;
import dev.verbena.tools.kit.Progress;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.RecvWr;
import dev.verbena.verbs.SendFlags;
import dev.verbena.verbs.SendWr;
import dev.verbena.verbs.SharedReceiveQueue;
import dev.verbena.verbs.WcStatus;
import dev.verbena.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;

/**
 * The exchange of an XRC ping-pong: each message from a peer is answered with a message to it,
 * until {@code tests} messages have been sent to and received from each. Only the last one to each
 * peer is signaled.
 *
 * <p>Peers with the same GID are processes on one host, which share their XRC domain: each can be
 * reached over the connection of any of them, so the connections are used in turn. A peer that is
 * alone at its GID is reached over its own connection.
 */
final class XrcLoop {
  private final List<XrcPeer> peers;
  private final SharedReceiveQueue srq;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final SendWr send;
  private final RecvWr recv;
  private final int tests;
  private final CompletionWait receives;
  private final CompletionWait sends;
  private final WorkCompletion wc = new WorkCompletion();
  private int received;
  private int finished;

  XrcLoop(
      List<XrcPeer> peers,
      SharedReceiveQueue srq,
      CompletionQueue sendCq,
      CompletionQueue recvCq,
      Messages messages,
      int tests,
      Duration patience) {
    this.peers = peers;
    this.srq = srq;
    this.sendCq = sendCq;
    this.recvCq = recvCq;
    this.send = messages.sendTemplate();
    this.recv = messages.recv();
    this.tests = tests;
    receives = new CompletionWait(recvCq, patience, this::silence);
    sends = new CompletionWait(sendCq, patience, this::silence);
  }

  /** Posts a receive for each peer, before the peers know this end's address. */
  void prepare() {
    receives.arm();
    for (int i = 0; i < peers.size(); i++) {
      srq.postRecv(recv);
    }
  }

  /** Runs all exchanges, after the first message to each peer if this is the server. */
  void run(boolean client, Progress progress) throws InterruptedException {
    if (!client) {
      for (int i = 0; i < peers.size(); i++) {
        post(i);
      }
    }
    while (received < peers.size() * tests) {
      receives.forAny(this::takeReceives);
      progress.at(received);
    }
    while (finished < peers.size()) {
      sends.forAny(this::takeSends);
    }
    receives.acknowledgeEvents();
  }

  private int takeReceives() {
    int found = 0;
    while (recvCq.poll(wc)) {
      found++;
      check("receive");
      srq.postRecv(recv);
      received++;
      int index = indexOf(wc.qpNum());
      if (peers.get(index).sent() < tests) {
        post(index);
      }
    }
    return found;
  }

  private int takeSends() {
    int found = 0;
    while (sendCq.poll(wc)) {
      found++;
      check("send");
      finished++;
    }
    return found;
  }

  private void check(String what) {
    if (wc.status() != WcStatus.SUCCESS) {
      throw ToolException.failure(
          "Failed status %s (%d) of a %s".formatted(wc.status().str(), wc.status().number(), what));
    }
  }

  private void post(int index) {
    XrcPeer peer = peers.get(index);
    boolean last = peer.sent() + 1 >= tests;
    peer.post(send.wrId(index).sendFlags(last ? SendFlags.SIGNALED : 0), way(index));
  }

  /** The peer over whose connection the next message to a peer goes. */
  private XrcPeer way(int index) {
    XrcPeer peer = peers.get(index);
    List<XrcPeer> sharing = peers.stream().filter(each -> each.gid().equals(peer.gid())).toList();
    return sharing.get((sharing.indexOf(peer) + peer.sent()) % sharing.size());
  }

  /** The index of the sender: with several peers, the receiving queue pair identifies it. */
  private int indexOf(int qpNum) {
    if (peers.size() == 1) {
      return 0;
    }
    for (int i = 0; i < peers.size(); i++) {
      if (peers.get(i).recvQpn() == qpNum) {
        return i;
      }
    }
    throw ToolException.failure("a completion of an unknown queue pair 0x%06x".formatted(qpNum));
  }

  private ToolException silence() {
    return ToolException.failure(
        "nothing completed for a while, after %d of %d messages; is the peer still running, with the"
                .formatted(received, peers.size() * tests)
            + " same --num_tests and --size?");
  }
}
