package dev.verbena.soft.engine.ether;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * An Ethernet segment that connects devices of a process: every frame passes every station, and
 * none is lost. A sender's thread carries its frame to the receivers.
 */
public final class EtherSegment {
  /** Jumbo frames with a VLAN tag. */
  static final int MAX_FRAME = 9018;

  private static final EtherSegment SHARED = new EtherSegment();

  private volatile EtherPort[] stations = {};

  /** A segment without stations. */
  public EtherSegment() {}

  /** The segment of this process. */
  public static EtherSegment shared() {
    return SHARED;
  }

  /** Connects a port. */
  synchronized EtherWire join(EtherPort port) {
    EtherPort[] more = Arrays.copyOf(stations, stations.length + 1);
    more[more.length - 1] = port;
    stations = more;
    return new Socket(port);
  }

  private synchronized void leave(EtherPort port) {
    stations = Arrays.stream(stations).filter(each -> each != port).toArray(EtherPort[]::new);
  }

  /** The connection of one port. */
  private final class Socket implements EtherWire {
    private final EtherPort port;

    Socket(EtherPort port) {
      this.port = port;
    }

    @Override
    public int maxFrame() {
      return MAX_FRAME;
    }

    @Override
    public boolean send(MemorySegment frame, int length, FrameDispatch dispatch) {
      for (EtherPort station : stations) {
        if (station != port) {
          station.receive(dispatch);
        }
      }
      return true;
    }

    @Override
    public void listen(boolean any, boolean promiscuous) {
      // Every frame passes anyway.
    }

    @Override
    public void close() {
      leave(port);
    }
  }
}
