package dev.verbena.soft.transport;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Binding;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.WindowOwner;
import dev.verbena.soft.memory.Windows;

/** Local operations for a single thread, which never waits. */
record AloneOperations(Windows windows, Domain domain, WindowOwner owner)
    implements LocalOperations {
  @Override
  public AccessFault bind(Binding binding) {
    return windows.bind(binding, domain, owner);
  }

  @Override
  public AccessFault invalidate(int rkey) {
    return windows.invalidate(rkey, domain, owner);
  }
}
