package dev.verbena.soft.engine.qp;

import dev.verbena.soft.link.Export;
import dev.verbena.soft.link.Exports;
import dev.verbena.soft.link.Requests;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.Service;
import dev.verbena.verbs.Access;
import dev.verbena.verbs.QpState;
import dev.verbena.wire.Address;
import org.jspecify.annotations.Nullable;

/** Exports a queue pair of service RC to its peer while it is in RTS; see {@link Exports}. */
final class QpExport {
  private final Address own;
  private final QpCore core;

  /** Under both guards. */
  private @Nullable Exports exports;

  private volatile Export export = Export.NONE;

  /**
   * @param own the device's address
   */
  QpExport(Address own, QpCore core) {
    this.own = own;
    this.core = core;
  }

  /**
   * Under both guards: sets where to export it from now on.
   *
   * @param to null if its peer is reached without exports
   */
  void connect(@Nullable Exports to) {
    end();
    exports = to;
  }

  /**
   * After a change by the program, under both guards: exports the queue pair as it is now. No peer
   * goes on as before.
   */
  void follow() {
    if (exports == null || core.service() != Service.RC) {
      return;
    }
    end();
    if (core.status().state == QpState.RTS) {
      QpParameters now = core.parameters();
      Requests expected = new Requests(own, now.qpNum, now.peer, now.destQpn, now.rqPsn, now.pkey);
      int answered = Access.REMOTE_READ | Access.REMOTE_ATOMIC;
      int access = now.accessFlags & ~(now.maxDestRdAtomic == 0 ? answered : 0);
      export = exports.queuePair(expected, access, core.domain().number);
    }
  }

  /** Nobody may use it any more. Waits for nothing, takes no guard. */
  void withdraw() {
    export.withdraw();
  }

  /** Returns when the peer has ended what it began before a region was withdrawn. */
  void quiesce() {
    export.quiesce();
  }

  /** Under both guards: ends the export, and what the peer has begun. */
  void end() {
    Export last = export;
    export = Export.NONE;
    last.withdraw();
    last.quiesce();
  }
}
