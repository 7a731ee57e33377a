package dev.verbena.soft.transport;

/** Always allows as much as the path takes, for paths without flight time or competition. */
public final class Unlimited implements CongestionControl {
  /** It has no state: any number of queue pairs may share it. */
  public Unlimited() {}

  @Override
  public int limit(int ofPath) {
    return ofPath;
  }

  @Override
  public void rest() {}

  @Override
  public void end() {}

  @Override
  public boolean listens() {
    return false;
  }

  @Override
  public void arrived(int psns, long now) {}

  @Override
  public void answeredIn(long nanos) {}

  @Override
  public void lost(long now) {}

  @Override
  public void notified(long now) {}
}
