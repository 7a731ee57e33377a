package dev.verbena.interop.sides;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * What verbs_peer.py drives: the guest's rdma_rxe, or our software device on the drop-in.
 *
 * @param peer where it listens
 * @param gidIndex index in its GID table
 * @param isKernel whether it is rdma_rxe
 */
public record Guest(InetSocketAddress peer, int gidIndex, boolean isKernel) implements SideFactory {
  /** Beyond the longest time that a command waits for a completion. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  @Override
  public Side open(PairSettings settings) throws IOException {
    GuestConnection connection = new GuestConnection(peer, settings.patience().plus(GRACE));
    try {
      return new GuestSide(connection, this, settings);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Does nothing, because each side has its own connection. */
  @Override
  public void close() {}
}
