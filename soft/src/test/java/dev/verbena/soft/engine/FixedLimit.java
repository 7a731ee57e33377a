package dev.verbena.soft.engine;

import dev.verbena.soft.transport.CongestionControl;

/** All that the path takes, whatever happens. */
final class FixedLimit implements CongestionControl {
  @Override
  public void reset() {}

  @Override
  public int limit(int ofPath) {
    return ofPath;
  }

  @Override
  public boolean listens() {
    return false;
  }

  @Override
  public void arrived(int psns) {}

  @Override
  public void answeredIn(long nanos) {}

  @Override
  public void lost() {}

  @Override
  public void notified() {}
}
