package dev.verbena.examples;

import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ObjectClosedException;
import dev.verbena.verbs.QpAttr;
import dev.verbena.verbs.QpInitAttr;
import dev.verbena.verbs.QpState;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.connect.ConnParam;
import dev.verbena.verbs.connect.Connection;
import dev.verbena.verbs.connect.ConnectionListener;
import dev.verbena.verbs.connect.ConnectionRequest;
import java.io.IOException;

/** What servers do with their clients. */
final class Clients {
  private static final System.Logger LOG = System.getLogger("examples");

  /**
   * Lets clients use memory for as long as the listener is open. Each gets a queue pair, for which
   * this end then does nothing more: it posts no request and polls no completion.
   */
  static void offer(MemoryRegion memory, ConnectionListener listener) throws IOException {
    QpInitAttr attr = QpInitAttr.rc(memory.context().createCq(1));
    listener.serve(client -> offer(memory, attr, client));
  }

  private static void offer(MemoryRegion memory, QpInitAttr attr, ConnectionRequest client)
      throws IOException {
    try (QueuePair qp = memory.pd().createQp(attr);
        Connection connection = client.accept(ConnParam.of(qp, memory.access()).region(memory))) {
      connection.awaitEnd();
    }
  }

  /**
   * Ends a wait for completions of a queue pair, from another thread: its receives complete with
   * WR_FLUSH_ERR.
   */
  static void flush(QueuePair qp) {
    try {
      qp.modify(new QpAttr().qpState(QpState.ERR));
    } catch (ObjectClosedException e) {
      LOG.log(System.Logger.Level.DEBUG, "whoever waited has ended already", e);
    }
  }

  /** Reports that a client failed, which should not end a server. */
  static void lost(Exception e) {
    LOG.log(System.Logger.Level.WARNING, "a client was lost", e);
  }

  private Clients() {}
}
