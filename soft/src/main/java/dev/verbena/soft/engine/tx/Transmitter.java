package dev.verbena.soft.engine.tx;

import dev.verbena.soft.link.Route;
import dev.verbena.soft.transport.Tally;
import dev.verbena.soft.transport.packets.PacketOut;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The way of one queue pair's packets to its peer, requests and answers. Used under the requester
 * or the responder guard, connected under both.
 */
public final class Transmitter implements PacketOut {
  private final TxPort port;
  private final PeerWindows peerWindows;
  private final Tally tally;
  private @Nullable Route route;
  private @Nullable PeerWindow peerWindow;
  private volatile boolean refused;
  private volatile boolean listening;
  // Under the requester guard from here.
  private final FlushForm flushes = new FlushForm();
  private boolean inFlight;
  private int mostOfLink;
  private int linkPayload = -1;

  public Transmitter(TxPort port, PeerWindows peerWindows, Tally tally) {
    this.port = port;
    this.peerWindows = peerWindows;
    this.tally = tally;
  }

  /**
   * Sets the destination.
   *
   * @param requests whether requests go this way; answers always can
   */
  public void connect(Route to, boolean requests) {
    disconnect();
    route = to;
    if (requests) {
      peerWindow = peerWindows.acquire(to.destination());
    }
  }

  /** Sets the destination of the next datagram. */
  public void aim(Route to) {
    route = to;
    listen();
  }

  /**
   * From now on packets are expected, from anywhere. Under either guard, so that it cannot come
   * behind a {@link #disconnect}.
   */
  public void listen() {
    if (!listening) {
      listening = true;
      peerWindows.listen(this);
    }
  }

  /** Forgets the destination. */
  public void disconnect() {
    nothingInFlight();
    if (peerWindow != null) {
      peerWindows.release(peerWindow);
      peerWindow = null;
    }
    if (listening) {
      peerWindows.ignore(this);
      listening = false;
    }
    route = null;
    refused = false;
    flushes.reset();
  }

  /** All requests are answered: leaves the peer window to others. */
  public void nothingInFlight() {
    if (inFlight && peerWindow != null) {
      peerWindow.end();
    }
    inFlight = false;
  }

  /** Whether requests may be in flight. */
  public boolean hasInFlight() {
    return inFlight;
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
  public int mostInFlight(int payload) {
    if (payload != linkPayload) {
      mostOfLink = port.mostInFlight(payload);
      linkPayload = payload;
    }
    return share(mostOfLink);
  }

  @Override
  public int mostInFlightOf(int charge) {
    return share(port.mostInFlightOf(charge));
  }

  @Override
  public int mostAnswersInFlight(int mtu) {
    return share(port.mostAnswersInFlight(mtu));
  }

  private int share(int ofLink) {
    PeerWindow shared = peerWindow;
    if (shared == null) {
      return 1;
    }
    if (!inFlight) {
      inFlight = true;
      shared.begin();
    }
    return shared.share(ofLink);
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
    int charge = port.commit(length, to, flushes, tally);
    if (charge == 0) {
      refused = true;
    }
    return charge;
  }

  @Override
  public void abandon() {
    port.abandon();
  }

  /** Sends what was committed, of all queue pairs; see {@link TxPort#flush}. */
  public void flush() {
    port.flush();
  }
}
