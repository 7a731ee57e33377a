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
  private final PeerWindows windows;
  private final Tally tally;
  private @Nullable Route route;
  private @Nullable PeerWindow window;
  private volatile boolean refused;
  private volatile boolean listening;
  // Under the requester guard from here.
  private final FlushForm flushes = new FlushForm();
  private boolean inFlight;
  private int linkWindow;
  private int linkPayload = -1;

  public Transmitter(TxPort port, PeerWindows windows, Tally tally) {
    this.port = port;
    this.windows = windows;
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
      window = windows.acquire(to.destination());
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
      windows.listen(this);
    }
  }

  /** Forgets the destination. */
  public void disconnect() {
    nothingInFlight();
    if (window != null) {
      windows.release(window);
      window = null;
    }
    if (listening) {
      windows.ignore(this);
      listening = false;
    }
    route = null;
    refused = false;
    flushes.reset();
  }

  /** All requests are answered: leaves the window to others. */
  public void nothingInFlight() {
    if (inFlight && window != null) {
      window.end();
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
  public int window(int payload) {
    if (payload != linkPayload) {
      linkWindow = port.window(payload);
      linkPayload = payload;
    }
    return share(linkWindow);
  }

  @Override
  public int windowOf(int charge) {
    return share(port.windowOf(charge));
  }

  @Override
  public int answerWindow(int mtu) {
    return share(port.answerWindow(mtu));
  }

  private int share(int ofLink) {
    PeerWindow shared = window;
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
