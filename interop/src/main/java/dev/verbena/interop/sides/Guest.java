package dev.verbena.interop.sides;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * The guest's rdma_rxe.
 *
 * @param peer where verbs_peer.py listens
 * @param gidIndex index in the guest's GID table
 */
public record Guest(InetSocketAddress peer, int gidIndex) implements SideFactory {
  /** Beyond the longest time that a command waits for a completion. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  @Override
  public Side open(PairSettings settings) throws IOException {
    GuestConnection connection = new GuestConnection(peer, settings.patience().plus(GRACE));
    try {
      return new GuestSide(connection, gidIndex, settings);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Does nothing, because each side has its own connection. */
  @Override
  public void close() {}
}
