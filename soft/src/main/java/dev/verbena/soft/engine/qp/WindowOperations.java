package dev.verbena.soft.engine.qp;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Binding;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.memory.Windows;
import dev.verbena.soft.transport.LocalOperations;
import dev.verbena.soft.transport.QpCore;

/**
 * Binds and invalidates memory windows, and waits until no peer's request, which runs under a
 * responder guard, is inside the invalidated memory.
 */
final class WindowOperations implements LocalOperations {
  private final Windows windows;
  private final Domain domain;
  private final WindowOwner owner;
  private final Host host;
  private final QpRuntime qp;

  /** The operations of one queue pair. */
  WindowOperations(QpCore core, Host host, QpRuntime qp) {
    windows = core.windows();
    domain = core.domain();
    owner = core.owner();
    this.host = host;
    this.qp = qp;
  }

  @Override
  public AccessFault bind(Binding binding) {
    AccessFault fault = windows.bind(binding, domain, owner);
    if (fault == AccessFault.NONE && !binding.window().isType2()) {
      // It may have been bound before, and any queue pair of the domain may be using that binding.
      host.quiesceAnswers(domain);
    }
    return fault;
  }

  @Override
  public AccessFault invalidate(int rkey) {
    AccessFault fault = windows.invalidate(rkey, domain, owner);
    if (fault == AccessFault.NONE) {
      if (owner.isInitiator()) {
        // An XRC target may be using the window, and nothing records which one.
        host.quiesceAnswers(domain);
      } else {
        // Only this queue pair's peer could use it.
        qp.quiesceAnswers(domain);
      }
    }
    return fault;
  }
}
