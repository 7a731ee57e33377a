package dev.verbena.soft.engine.tx;

import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Tally;
import dev.verbena.soft.transport.packets.PacketOut;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Sends one queue pair's packets, requests and answers, to its peer. Used under the requester or
 * the responder guard, connected under both.
 */
public final class Transmitter implements PacketOut {
  private final TxPort network;
  private final @Nullable TxPort host;
  private final Listeners listeners;
  private final Tally tally;
  private @Nullable Route route;

  /** One of the two. */
  private TxPort port;

  /** Whether the link has refused a packet, and may not have room yet. */
  public volatile boolean refused;

  private volatile boolean listening;

  /** See {@link #isPeerAlike}. */
  private volatile boolean peerIsAlike;

  // The rest is under the requester guard.
  private final FlushForm flushes = new FlushForm();
  private int mostOfLink;
  private int linkPayload = -1;
  private int mostOfCharge;
  private int linkCharge = -1;
  private int linkLargest;

  /** Bytes of the peer's receive buffer; 0 until it says how many. */
  private int peerBuffer;

  /**
   * @param network sends to everybody
   * @param host sends to processes of this computer without the network; null if nothing does
   */
  public Transmitter(TxPort network, @Nullable TxPort host, Listeners listeners, Tally tally) {
    this.network = network;
    this.host = host;
    port = network;
    this.listeners = listeners;
    this.tally = tally;
  }

  /**
   * Sets the destination.
   *
   * @param onHost whether to reach it without the network, which must be possible
   * @param requests whether requests go this way; answers always may
   */
  public void connect(Route to, boolean onHost, boolean requests) {
    disconnect();
    route = to;
    port = onHost && host != null ? host : network;
    linkPayload = -1;
    linkCharge = -1;
    if (requests) {
      listen();
    }
  }

  /** Sets the destination of the next datagram. */
  public void aim(Route to) {
    route = to;
    listen();
  }

  /**
   * Expects packets from now on. Called under either guard, so that it cannot come after a {@link
   * #disconnect}.
   */
  public void listen() {
    if (!listening) {
      listening = true;
      listeners.add(this);
    }
  }

  /** Forgets the destination. */
  public void disconnect() {
    if (listening) {
      listeners.remove(this);
      listening = false;
    }
    route = null;
    refused = false;
    peerIsAlike = false;
    peerBuffer = 0;
    flushes.reset();
  }

  /**
   * Sets whether the peer numbers its packets as this device does. Over IPv6 no number is covered
   * by the ICRC, so nothing is known.
   */
  public void peerIsAlike(boolean whether) {
    Route to = route;
    peerIsAlike = whether && to != null && to.destination().isIpv4();
  }

  /**
   * Whether the peer is known to be a device like this one. Then it handles answers first that
   * share a run with requests, and keeps to credits.
   */
  public boolean isPeerAlike() {
    return peerIsAlike;
  }

  /** Under the requester guard: the peer has said how many bytes its receive buffer holds. */
  public void peerHas(int buffer) {
    peerBuffer = buffer;
    linkCharge = -1;
  }

  /** Under the requester guard: adds a line for people to a queue pair's description. */
  public void dump(StringBuilder text) {
    if (peerBuffer > 0) {
      text.append("  peer:      its receive buffer has ").append(peerBuffer).append(" bytes\n");
    }
  }

  /** The link may take packets again. */
  public void mayTryAgain() {
    refused = false;
  }

  @Override
  public boolean isReady() {
    return !refused;
  }

  @Override
  public int run(int mtu) {
    return port.run(mtu);
  }

  @Override
  public int longPayload() {
    return port.longPayload();
  }

  @Override
  public int mostInFlight(int payload) {
    if (payload != linkPayload) {
      mostOfLink = port.mostInFlight(payload);
      linkPayload = payload;
    }
    return mostOfLink;
  }

  @Override
  public int mostInFlightOf(int charge, int largest) {
    if (charge != linkCharge || largest != linkLargest) {
      mostOfCharge = port.mostInFlightOf(charge, largest, peerBuffer);
      linkCharge = charge;
      linkLargest = largest;
    }
    return mostOfCharge;
  }

  @Override
  public int receiveBuffer() {
    return peerIsAlike ? port.receiveBuffer : 0;
  }

  @Override
  public int mostAnswersInFlight(int mtu) {
    // The peer may send its answers by the network, although this side found another way.
    return Math.min(port.mostAnswersInFlight(mtu), network.mostAnswersInFlight(mtu));
  }

  @Override
  public MemorySegment begin() {
    return port.begin();
  }

  @Override
  public int commit(int length) {
    Route to = route;
    if (to == null) {
      port.abandon();
      return length;
    }
    int charge = port.commit(length, to, peerIsAlike, flushes, tally);
    if (charge == 0) {
      refused = true;
    }
    return charge;
  }

  @Override
  public void abandon() {
    port.abandon();
  }

  /** Sends the committed packets of all queue pairs; see {@link TxPort#flush}. */
  public void flush() {
    if (network.waiting) {
      network.flush();
    }
    if (host != null && host.waiting) {
      host.flush();
    }
  }
}
