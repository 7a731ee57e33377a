package dev.verbena.tools.pingpong;

import dev.verbena.tools.kit.AddressText;
import dev.verbena.tools.kit.SideChannel;
import dev.verbena.tools.kit.ToolException;
import dev.verbena.tools.kit.UsualValues;
import dev.verbena.tools.pingpong.end.PingpongEnd;
import dev.verbena.tools.pingpong.end.XrcDestination;
import dev.verbena.verbs.AhAttr;
import dev.verbena.verbs.Gid;
import dev.verbena.verbs.Mtu;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.SendWr;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A peer of an XRC ping-pong: the two queue pairs of this end for it, cross-connected to its own,
 * and the side channel to it, which stays open until both have everything.
 */
final class XrcPeer implements AutoCloseable {
  private static final int HOPS = 5;
  private static final byte[] END = AddressText.message("END", 4);

  private final QueuePair recvQp;
  private final QueuePair sendQp;
  private final int psn = PingpongSession.startPsn();
  private @Nullable SideChannel channel;
  private @Nullable XrcDestination remote;
  private int sent;

  /** A peer with two queue pairs in INIT. */
  XrcPeer(QueuePair recvQp, QueuePair sendQp) {
    this.recvQp = recvQp;
    this.sendQp = sendQp;
  }

  /** Takes over the side channel to the peer. */
  void channel(SideChannel opened) {
    channel = opened;
  }

  /** Sends this end's address to the peer. */
  void tell(PingpongEnd end, int srqn, PrintWriter out) throws IOException {
    XrcDestination local =
        new XrcDestination(
            end.port().lid(), recvQp.qpNum(), sendQp.qpNum(), psn, srqn, end.port().gid());
    out.println(local.line("local"));
    open().send(local.toMessage());
  }

  /** Receives the peer's address. */
  void hear(PrintWriter out) throws IOException {
    remote = XrcDestination.parse(open().receive(XrcDestination.MESSAGE_BYTES, "its address"));
    out.println(remote.line("remote"));
  }

  /** Connects both queue pairs. READs and atomics are not used: their depth is 0. */
  void connect(PingpongEnd end, Mtu mtu) {
    XrcDestination peer = remote();
    AhAttr route = end.port().route(peer.gid(), peer.lid(), HOPS);
    recvQp.modify(
        toRtr(route, mtu, peer.sendQpn(), peer.psn())
            .maxDestRdAtomic(0)
            .minRnrTimer(UsualValues.MIN_RNR_TIMER));
    recvQp.modify(new QpAttr().qpState(QpState.RTS).timeout(UsualValues.TIMEOUT).sqPsn(psn));
    sendQp.modify(toRtr(route, mtu, peer.recvQpn(), peer.psn()));
    sendQp.modify(
        new QpAttr()
            .qpState(QpState.RTS)
            .timeout(UsualValues.TIMEOUT)
            .retryCnt(UsualValues.RETRIES)
            .rnrRetry(UsualValues.RETRIES)
            .sqPsn(psn)
            .maxRdAtomic(0));
  }

  private static QpAttr toRtr(AhAttr route, Mtu mtu, int qpn, int rqPsn) {
    return new QpAttr().qpState(QpState.RTR).ahAttr(route).pathMtu(mtu).destQpNum(qpn).rqPsn(rqPsn);
  }

  int recvQpn() {
    return recvQp.qpNum();
  }

  /** The peer's GID. */
  Gid gid() {
    return remote().gid();
  }

  /** Messages sent to it so far. */
  int sent() {
    return sent;
  }

  /** Posts a message to its shared receive queue, over the connection to {@code via}. */
  void post(SendWr wr, XrcPeer via) {
    via.sendQp.postSend(wr.remoteSrqn(remote().srqn()));
    sent++;
  }

  /** Tells the peer that everything has arrived. */
  void sendEnd() throws IOException {
    open().send(END);
  }

  /** Waits until the peer has everything. */
  void awaitEnd() throws IOException {
    byte[] message = open().receive(END.length, "\"END\"");
    if (!Arrays.equals(message, END)) {
      throw ToolException.failure("the peer did not send \"END\" at the end");
    }
  }

  /** Destroys the queue pairs; each reports objects that are in use. */
  void destroy() {
    sendQp.destroy();
    recvQp.destroy();
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  private SideChannel open() {
    if (channel == null) {
      throw new IllegalStateException("not met yet");
    }
    return channel;
  }

  private XrcDestination remote() {
    if (remote == null) {
      throw new IllegalStateException("not met yet");
    }
    return remote;
  }
}
