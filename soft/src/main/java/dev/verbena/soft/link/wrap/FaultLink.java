package dev.verbena.soft.link.wrap;

import dev.verbena.soft.link.ForwardingLink;
import dev.verbena.soft.link.Link;
import dev.verbena.soft.link.LinkCounters;
import dev.verbena.soft.link.Receiver;
import dev.verbena.soft.link.Route;
import dev.verbena.soft.link.SendBatch;
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
 *
 * <p>Packets to which nothing happens leave in runs, if the link below has them. A packet to which
 * something happens leaves alone, if it does, and those behind it begin a run. So their places in
 * runs change, and with these the IDs that the link gives them; they get ICRCs that cover those.
 *
 * <p>What happens to a long packet happens to all of it.
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
  private final PlaceSeal seal;

  /** Copies of the oldest packets of the batch that is being sent, to which nothing happens. */
  private final SendBatch through;

  // Guards everything below, and the sends of the inner link, because receive sends too.
  private final Object guard = new Object();
  private HeldPackets.@Nullable Held exchange;
  private long exchangeDeadline;

  /** The next packets that are offered, to which nothing happens. */
  private int spared;

  /** Whether the dice tell the fate of the packet after those. */
  private boolean rolled;

  private volatile long due = Long.MAX_VALUE;

  private FaultLink(Link inner, FaultSpec spec, LinkCounters counters, Notes notes) {
    super(inner);
    if (spec.corrupt() > 0 && !inner.needsIcrc()) {
      throw new IllegalArgumentException(
          "nobody notices what corrupt does to packets without ICRC");
    }
    this.counters = counters;
    this.notes = notes;
    this.dice = new FaultDice(spec, new SplittableRandom(spec.seed()));
    this.held = new HeldPackets(MOST_HELD, inner.maxDatagram(), inner.longestDatagram());
    this.damaged = Arena.ofAuto().allocate(inner.maxDatagram());
    this.seal = new PlaceSeal(inner.address());
    this.through = new SendBatch(inner.mostSegments(), inner.longestDatagram());
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
      boolean passes = isSpared(0);
      boolean sent =
          passes
              ? sendNoted(datagram, length, route, PLAIN, now)
              : decide(datagram, length, route, now);
      if (sent && passes) {
        spared--;
      } else if (sent) {
        rolled = false;
      }
      schedule(now);
      return sent;
    }
  }

  @Override
  public boolean send(SendBatch batch, long now) {
    synchronized (guard) {
      release(now);
      boolean all = true;
      while (all && !batch.isEmpty()) {
        collect(batch);
        all = through.isEmpty() ? sendAlone(batch, now) : sendThrough(batch, now);
      }
      if (inner.mostSegments() == 1) {
        batch.mostSegments(1);
      }
      schedule(now);
      return all;
    }
  }

  /** Whether nothing happens to a packet; index from 0, one after another. */
  private boolean isSpared(int index) {
    if (index == spared && !rolled) {
      dice.roll();
      rolled = dice.hits() || exchange != null;
      if (!rolled) {
        spared++;
      }
    }
    return index < spared;
  }

  /** Copies the packets before the first one to which something happens. */
  private void collect(SendBatch batch) {
    int count = batch.count();
    for (int i = 0; i < count && !through.isFull() && isSpared(i); i++) {
      int length = batch.lengths[i];
      Route route = batch.routes[i];
      MemorySegment.copy(batch.datagrams[i], 0, through.next(), 0, length);
      int place = through.add(length, route);
      seal.move(through.last(), length, route.destination(), batch.places[i], place);
    }
  }

  private boolean sendThrough(SendBatch batch, long now) {
    int collected = through.count();
    notes.next(PLAIN);
    boolean all = inner.send(through, now);
    int sent = collected - through.count();
    through.withdraw();
    batch.remove(sent);
    spared -= sent;
    return all;
  }

  /** Deals with the oldest packet, to which something happens. */
  private boolean sendAlone(SendBatch batch, long now) {
    int length = batch.lengths[0];
    Route route = batch.routes[0];
    MemorySegment packet = through.next();
    MemorySegment.copy(batch.datagrams[0], 0, packet, 0, length);
    seal.move(packet, length, route.destination(), batch.places[0], 0);
    if (!decide(packet, length, route, now)) {
      return false;
    }
    rolled = false;
    batch.remove(1);
    return true;
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
  public int mostSegments() {
    return inner.mostSegments();
  }

  /** Where packets may be damaged the link behind has none, because they have no ICRC. */
  @Override
  public int longPayload() {
    return inner.longPayload();
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
