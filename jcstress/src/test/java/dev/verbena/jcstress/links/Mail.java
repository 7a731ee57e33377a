package dev.verbena.jcstress.links;

import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.shm.SharedMemoryLink;
import dev.verbena.soft.link.socket.FfmUdpLink;
import dev.verbena.wire.Address;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;

/**
 * Two links that send to a third one, in shared memory. There are many states at a time, so they
 * are reused.
 */
final class Mail {
  private static final LinkCounters NONE = (counter, count) -> {};

  /** In 127.0.0.0/8, away from those of devices, and different for each process. */
  private static final AtomicInteger NEXT =
      new AtomicInteger(0x7F80_0001 + (int) (ProcessHandle.current().pid() & 0x7FFF) * 256);

  private static final AtomicInteger TAKEN = new AtomicInteger();

  private static final ConcurrentLinkedQueue<Mail> ALONE = new ConcurrentLinkedQueue<>();
  private static final ConcurrentLinkedQueue<Mail> BESIDE = new ConcurrentLinkedQueue<>();

  private final boolean beside;
  private final Link first;
  private final Link second;
  private final Link target;
  private final MemorySegment datagrams = Arena.ofAuto().allocate(2 * Long.BYTES, Long.BYTES);

  private Mail(boolean beside) {
    this.beside = beside;
    first = open();
    second = open();
    target = open();
  }

  /** Some that nobody uses, whose target waits for nothing else. */
  static Mail take() {
    return take(false);
  }

  /** Some whose target waits for a socket at the same time, every other time. */
  static Mail takeEither() {
    return take((TAKEN.getAndIncrement() & 1) != 0);
  }

  private static Mail take(boolean beside) {
    Mail idle = (beside ? BESIDE : ALONE).poll();
    return idle == null ? new Mail(beside) : idle;
  }

  /** For the next state; everything that was sent has been received. */
  void giveBack() {
    (beside ? BESIDE : ALONE).add(this);
  }

  private Link open() {
    Address address = Address.ofIpv4(NEXT.getAndIncrement());
    return beside
        ? SharedMemoryLink.beside(FfmUdpLink.open(address, NONE), NONE)
        : SharedMemoryLink.open(address, NONE, /* icrc= */ false);
  }

  /** Sends a number from the first link. */
  void sendFirst(long number) {
    send(first, 0, number);
  }

  /** Sends a number from the second link. */
  void sendSecond(long number) {
    send(second, Long.BYTES, number);
  }

  private void send(Link from, long at, long number) {
    datagrams.set(ValueLayout.JAVA_LONG, at, number);
    Route route = new Route(target.address(), 0, 0, 0);
    if (!from.send(datagrams.asSlice(at, Long.BYTES), Long.BYTES, route, System.nanoTime())) {
      throw new IllegalStateException("the ring is full");
    }
  }

  /** Receives what is there; returns how many numbers. */
  int receive(LongConsumer numbers) {
    return target.receive(
        (arrival, now) ->
            numbers.accept(arrival.datagram.get(ValueLayout.JAVA_LONG_UNALIGNED, arrival.offset)),
        64,
        System.nanoTime());
  }

  /** Sleeps until there is a number, and returns it. Without a wake-up it sleeps for ever. */
  long awaitOne() {
    long[] number = new long[1];
    while (receive(found -> number[0] = found) == 0) {
      target.await(Long.MAX_VALUE);
    }
    return number[0];
  }
}
