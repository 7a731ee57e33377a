package dev.verbena.rdmacore.post;

import dev.verbena.verbs.provider.Exclusion;

/** Excludes nobody, where the program promises that only one thread at a time comes. */
public enum NoExclusion implements Exclusion {
  INSTANCE;

  @Override
  public void enter() {}

  @Override
  public void exit() {}

  @Override
  public void takeOver() {}

  @Override
  public void open() {}
}
