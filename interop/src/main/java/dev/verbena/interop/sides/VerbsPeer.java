package dev.verbena.interop.sides;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What verbs_peer.py drives: the guest's rdma_rxe, or our software device on the drop-in.
 *
 * @param address where it listens
 * @param gidIndex index in its GID table
 * @param isKernel whether it is rdma_rxe
 */
public record VerbsPeer(InetSocketAddress address, int gidIndex, boolean isKernel)
    implements SideFactory {
  /** Beyond the longest time that a command waits for a completion. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  @Override
  public String name() {
    return isKernel ? "kernel" : "drop-in";
  }

  @Override
  public Side open(PairSettings settings) throws IOException {
    VerbsPeerConnection connection =
        new VerbsPeerConnection(address, settings.patience().plus(GRACE));
    try {
      return new VerbsPeerSide(connection, this, settings);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Does nothing, because each side has its own connection. */
  @Override
  public void close() {}
}
