package dev.verbena.soft.link.wrap;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.verbs.Counter;
import dev.verbena.verbs.FaultSpec;
import dev.verbena.wire.CaptureNotes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Treats sent packets like a bad network, as a {@link FaultSpec} says: loses them, sends them
 * twice, exchanges one with the next, delays them, flips a bit anywhere in them. A seed decides, so
 * the same packets meet the same faults.
 *
 * <p>A packet that the link below refuses has the same fate when it is offered again. Held packets
 * leave in {@link #receive} when they are due, at the latest when the link is closed.
 */
public final class FaultLink extends ForwardingLink {
  /** Takes notes about what was done to packets. */
  interface Notes {
    /** Takes none. */
    Notes NONE =
        new Notes() {
          @Override
          public void next(byte[] comment) {}

          @Override
          public void dropped(MemorySegment datagram, long length, Route route, byte[] comment) {}
        };

    /**
     * What was done to the packet that leaves next.
     *
     * @param comment in UTF-8; empty if nothing was done
     */
    void next(byte[] comment);

    /** A packet will not leave. */
    void dropped(MemorySegment datagram, long length, Route route, byte[] comment);
  }

  /** The most held packets; further ones are not delayed. */
  static final int MOST_HELD = 1024;

  /** How long a packet waits for another one to exchange places with. */
  static final long EXCHANGE_NANOS = 1_000_000;

  /** The pause before a packet refused by the link below is tried again. */
  private static final long RETRY_NANOS = 50_000;

  private static final byte[] PLAIN = {};
  private static final byte[] DROPPED = CaptureNotes.DROPPED.getBytes(StandardCharsets.UTF_8);
  private static final byte[] FLIPPED = note("a bit flipped");
  private static final byte[] REPEATED = note("duplicate");
  private static final byte[] LATE = note("delayed");
  private static final byte[] EXCHANGED = note("reordered");

  private final LinkCounters counters;
  private final Notes notes;
  private final FaultDice dice;
  private final HeldPackets held;
  private final MemorySegment damaged;
  // Guards everything below, and the sends of the inner link, because receive sends too.
  private final Object guard = new Object();
  private HeldPackets.@Nullable Held exchange;
  private long exchangeDeadline;
  private boolean rolled;
  private volatile long due = Long.MAX_VALUE;

  private FaultLink(Link inner, FaultSpec spec, LinkCounters counters, Notes notes) {
    super(inner);
    this.counters = counters;
    this.notes = notes;
    this.dice = new FaultDice(spec, new SplittableRandom(spec.seed()));
    this.held = new HeldPackets(MOST_HELD, inner.maxDatagram());
    this.damaged = Arena.ofAuto().allocate(inner.maxDatagram());
  }

  /** Puts faults in front of a link, which is closed with this one. */
  public static FaultLink over(Link inner, FaultSpec spec, LinkCounters counters) {
    return new FaultLink(inner, spec, counters, Notes.NONE);
  }

  /** Puts faults in front of a capture, whose packets get a comment that says what was done. */
  public static FaultLink over(CaptureLink inner, FaultSpec spec, LinkCounters counters) {
    return new FaultLink(inner, spec, counters, inner);
  }

  @Override
  public boolean send(MemorySegment datagram, long length, Route route, long now) {
    synchronized (guard) {
      release(now);
      if (!rolled) {
        dice.roll();
      }
      rolled = !decide(datagram, length, route, now);
      schedule(now);
      return !rolled;
    }
  }

  /** Deals with one packet; false if the link below refused it. */
  private boolean decide(MemorySegment datagram, long length, Route route, long now) {
    if (dice.drops()) {
      counters.add(Counter.FAULTS_DROPPED, 1);
      notes.dropped(datagram, length, route, DROPPED);
      return true;
    }
    boolean corrupt = dice.corrupts() && length > 0 && length <= damaged.byteSize();
    MemorySegment packet = corrupt ? flipped(datagram, length) : datagram;
    byte[] note = corrupt ? FLIPPED : PLAIN;
    int copies = dice.duplicates() ? 2 : 1;
    if (!delay(packet, length, route, copies, note, now)
        && !holdForExchange(packet, length, route, copies, note, now)
        && !pass(packet, length, route, copies, note, now)) {
      return false;
    }
    if (corrupt) {
      counters.add(Counter.FAULTS_CORRUPTED, 1);
    }
    return true;
  }

  private MemorySegment flipped(MemorySegment datagram, long length) {
    MemorySegment.copy(datagram, 0, damaged, 0, length);
    long bit = dice.bit(length * Byte.SIZE);
    byte old = damaged.get(ValueLayout.JAVA_BYTE, bit / Byte.SIZE);
    damaged.set(ValueLayout.JAVA_BYTE, bit / Byte.SIZE, (byte) (old ^ 1 << bit % Byte.SIZE));
    return damaged;
  }

  private boolean delay(
      MemorySegment packet, long length, Route route, int copies, byte[] note, long now) {
    if (!dice.delays()) {
      return false;
    }
    HeldPackets.Held late =
        held.copy(packet, length, route, copies, note.length == 0 ? LATE : note);
    if (late == null) {
      return false;
    }
    held.enqueue(late, now + dice.delayNanos());
    counters.add(Counter.FAULTS_DELAYED, 1);
    countDuplicate(copies);
    return true;
  }

  private boolean holdForExchange(
      MemorySegment packet, long length, Route route, int copies, byte[] note, long now) {
    if (!dice.reorders() || exchange != null) {
      return false;
    }
    exchange = held.copy(packet, length, route, copies, note.length == 0 ? EXCHANGED : note);
    exchangeDeadline = now + EXCHANGE_NANOS;
    if (exchange == null) {
      return false;
    }
    countDuplicate(copies);
    return true;
  }

  private boolean pass(
      MemorySegment packet, long length, Route route, int copies, byte[] note, long now) {
    if (!sendNoted(packet, length, route, note, now)) {
      return false;
    }
    if (copies > 1) {
      HeldPackets.Held again = held.copy(packet, length, route, 1, REPEATED);
      if (again != null) {
        held.enqueue(again, now);
        countDuplicate(copies);
      }
    }
    if (exchange != null) {
      counters.add(Counter.FAULTS_REORDERED, 1);
      endExchange(now);
    }
    release(now);
    return true;
  }

  private void countDuplicate(int copies) {
    if (copies > 1) {
      counters.add(Counter.FAULTS_DUPLICATED, 1);
    }
  }

  private void endExchange(long now) {
    HeldPackets.Held waiting = exchange;
    if (waiting != null) {
      held.enqueue(waiting, now);
      exchange = null;
    }
  }

  /** Sends due packets. */
  private void release(long now) {
    if (exchange != null && exchangeDeadline <= now) {
      endExchange(now);
    }
    HeldPackets.Held first = held.first();
    while (first != null && first.deadline <= now) {
      while (first.copies > 0) {
        if (!sendNoted(first.buffer, first.length, first.route, first.note, now)) {
          return;
        }
        first.copied(REPEATED);
      }
      held.removeFirst();
      first = held.first();
    }
  }

  private boolean sendNoted(MemorySegment packet, long length, Route route, byte[] note, long now) {
    notes.next(note);
    return inner.send(packet, length, route, now);
  }

  /** Computes when the next call is due, and wakes the engine if it would sleep too long. */
  private void schedule(long now) {
    HeldPackets.Held first = held.first();
    long next = first == null ? Long.MAX_VALUE : first.deadline;
    if (next <= now) {
      next = now + RETRY_NANOS;
    }
    if (exchange != null) {
      next = Math.min(next, exchangeDeadline);
    }
    boolean earlier = next < due;
    due = next;
    if (earlier) {
      inner.wake();
    }
  }

  @Override
  public int receive(Receiver receiver, int most, long now) {
    if (due <= now) {
      synchronized (guard) {
        release(now);
        schedule(now);
      }
    }
    return inner.receive(receiver, most, now);
  }

  @Override
  public boolean holds() {
    return true;
  }

  @Override
  public long deadline() {
    return Math.min(due, inner.deadline());
  }

  @Override
  public String whyNoExports() {
    return "the device has faults";
  }

  @Override
  public void close() {
    synchronized (guard) {
      release(Long.MAX_VALUE);
    }
    inner.close();
  }

  private static byte[] note(String what) {
    return (CaptureNotes.FAULT + what).getBytes(StandardCharsets.UTF_8);
  }
}
