package dev.verbena.soft.link;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** Refuses every third send. */
final class RefusingLink implements Link {
  private final Link inner;
  private final AtomicLong calls;

  RefusingLink(Link inner, AtomicLong calls) {
    this.inner = inner;
    this.calls = calls;
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    return calls.incrementAndGet() % 3 != 0 && inner.send(datagram, length, route, now);
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    return inner.receive(receiver, most, now);
  }

  @Override
  public long deadline() {
    return inner.deadline();
  }

  @Override
  public int maxDatagram() {
    return inner.maxDatagram();
  }

  @Override
  public int window(int mtu) {
    return inner.window(mtu);
  }

  @Override
  public void await(long nanos) {
    inner.await(nanos);
  }

  @Override
  public void wake() {
    inner.wake();
  }

  @Override
  public long localHi() {
    return inner.localHi();
  }

  @Override
  public long localLo() {
    return inner.localLo();
  }

  @Override
  public boolean isUp() {
    return inner.isUp();
  }

  @Override
  public void close() {
    inner.close();
  }
}
