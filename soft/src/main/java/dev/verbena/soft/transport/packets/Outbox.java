package dev.verbena.soft.transport.packets;

import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.transport.Budget;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.Replies;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.packets.OutboxEntry.Kind;
import dev.verbena.soft.transport.responder.Responder;
import dev.verbena.wire.Aeth;
import dev.verbena.wire.AethSyndrome;
import dev.verbena.wire.AtomicAckEth;
import dev.verbena.wire.Bth;
import dev.verbena.wire.BufferSize;
import dev.verbena.wire.Cnp;
import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a responder on a packet link, in order, until the link takes them (S12.6.9,
 * S12.6.10). A new ACK replaces an unsent one, and so does a NAK, so the number of waiting answers
 * is bounded however slow the link is. Used under the responder guard.
 */
public final class Outbox implements Replies {
  /** Jobs for each resource, because new and repeated READs and atomics are answered. */
  private static final int JOBS_PER_RESOURCE = 2;

  /** At most an ACK and a NAK wait before each of these answers and after the last. */
  private static final int ACKNOWLEDGEMENTS = 2;

  /**
   * The first ACK with which the peer is told about the receive buffer. It is told again with each
   * one whose number is twice as high, because such a packet can get lost.
   */
  private static final int FIRST_TOLD = 8;

  private static final int NO_PSN = -1;

  /** Initial room. Most queue pairs never need more, and there may be very many of them. */
  private static final int FEW = 8;

  private final QpParameters parameters;
  private final Responder responder;
  private final Service service;
  private final BooleanSupplier isPeerAlike;
  private final PacketEncoder encoder;
  private final SpanList data = new SpanList();
  private OutboxEntry[] entries = {};
  private int head;
  private int count;
  private int jobs;
  private boolean notifies;

  /** ACKs and NAKs that were sent. */
  private int acknowledgements;

  /** Whether the peer is to be told about the receive buffer, as soon as that is possible. */
  private boolean tells;

  /** Then the PSN of the last ACK, which shows the peer who tells it; or {@link #NO_PSN}. */
  private int tellPsn;

  /**
   * @param core the queue pair's core
   * @param responder the responder that gives the answers
   * @param isPeerAlike whether the peer is known to be a device like this one
   */
  public Outbox(QpCore core, Responder responder, BooleanSupplier isPeerAlike) {
    this.isPeerAlike = isPeerAlike;
    parameters = core.parameters();
    service = core.service();
    encoder = new PacketEncoder(service);
    this.responder = responder;
  }

  /** Removes all answers. */
  public void clear() {
    int capacity = capacity();
    if (entries.length == 0 || entries.length > capacity) {
      entries = new OutboxEntry[Math.min(FEW, capacity)];
      Arrays.setAll(entries, i -> new OutboxEntry());
    }
    head = 0;
    count = 0;
    jobs = 0;
    notifies = false;
    tells = false;
    tellPsn = NO_PSN;
    acknowledgements = 0;
  }

  private int capacity() {
    return mostJobs() * (1 + ACKNOWLEDGEMENTS) + ACKNOWLEDGEMENTS;
  }

  private int mostJobs() {
    return JOBS_PER_RESOURCE * parameters.maxDestRdAtomic;
  }

  /** The number of waiting answers. */
  public int size() {
    return count;
  }

  /** Whether no answer waits. */
  public boolean isEmpty() {
    return count == 0 && !notifies;
  }

  /** The peer is to be told that its packets have met congestion; before all answers, and once. */
  public void notifyCongestion() {
    notifies = true;
  }

  @Override
  public boolean hasRoom() {
    return jobs < mostJobs();
  }

  @Override
  public boolean hasRoomToRepeat(int psn) {
    return jobs < parameters.maxDestRdAtomic || waiting(psn) != null;
  }

  @Override
  public boolean giveCredits() {
    return isPeerAlike.getAsBoolean();
  }

  @Override
  public void acknowledge(int psn, int syndrome, int msn) {
    if (count > 0 && !overtakes(psn, syndrome)) {
      return;
    }
    OutboxEntry entry = append();
    if (entry != null) {
      entry.acknowledge(psn, syndrome, msn);
    }
  }

  /**
   * Before an ACK or NAK is appended: removes a waiting one at the end that says no more. Returns
   * false if that one says more, so that the new one, for a repeated request, is not needed.
   */
  private boolean overtakes(int psn, int syndrome) {
    boolean isAck = AethSyndrome.isAck(syndrome);
    OutboxEntry ack = waiting(true);
    OutboxEntry nak = waiting(false);
    if (isAck && (saysMore(ack, psn) || saysMore(nak, psn))) {
      return false;
    }
    if (isAck || acknowledges(syndrome)) {
      withdraw(ack);
    }
    if (!isAck) {
      withdraw(nak);
    }
    return true;
  }

  /**
   * Whether an answer says everything that the ACK before it says. A NAK for a gap does not: a
   * stray packet can cause it, and the peer, which has sent nothing with that PSN, drops it as
   * stale, together with the implied acknowledgement. Other NAKs answer what the peer has sent.
   */
  private static boolean acknowledges(int syndrome) {
    return syndrome != AethSyndrome.NAK_PSN_SEQUENCE_ERROR;
  }

  private static boolean saysMore(@Nullable OutboxEntry entry, int psn) {
    return entry != null && acknowledges(entry.syndrome) && Psn.diff(psn, entry.nextPsn()) < 0;
  }

  /**
   * The ACK or NAK that waits after all other answers, or null. At most one of each waits: the peer
   * needs to know the latest ACK, and the latest PSN to go back to.
   */
  private @Nullable OutboxEntry waiting(boolean isAck) {
    for (int i = count - 1; i >= 0; i--) {
      OutboxEntry entry = entry(i);
      if (entry.kind != Kind.ACKNOWLEDGE) {
        return null;
      }
      if (AethSyndrome.isAck(entry.syndrome) == isAck) {
        return entry;
      }
    }
    return null;
  }

  @Override
  public void read(int psn, int psnCount, int msn, int srqNum, int rkey, long va, long length) {
    OutboxEntry entry = job(psn);
    if (entry != null) {
      entry.read(psn, psnCount, msn, srqNum, rkey, va, length, false);
    }
  }

  @Override
  public void readAgain(
      int psn, int psnCount, int msn, int srqNum, int rkey, long va, long length) {
    OutboxEntry first = waiting(psn);
    boolean sentBefore = first == null || first.sentBefore;
    OutboxEntry entry = job(psn);
    if (entry != null) {
      entry.read(psn, psnCount, msn, srqNum, rkey, va, length, sentBefore);
    }
  }

  @Override
  public void atomic(int psn, int msn, long original) {
    OutboxEntry entry = job(psn);
    if (entry != null) {
      entry.atomic(psn, msn, original);
    }
  }

  /**
   * The entry for the answer to a request. The peer asks again from this PSN on, so the rest of an
   * earlier answer would be useless, and the new answer takes its place.
   */
  private @Nullable OutboxEntry job(int psn) {
    OutboxEntry entry = waiting(psn);
    if (entry == null) {
      entry = append();
      jobs += entry == null ? 0 : 1;
    }
    return entry;
  }

  /** The waiting answer to a READ or atomic that has, or had, this PSN, or null. */
  private @Nullable OutboxEntry waiting(int psn) {
    for (int i = 0; i < count; i++) {
      OutboxEntry entry = entry(i);
      if (entry.isAnswerTo(psn)) {
        return entry;
      }
    }
    return null;
  }

  /**
   * Sends what the link takes.
   *
   * @return true if it stopped for the budget, or because the link currently takes nothing, so that
   *     it must run again
   */
  public boolean drain(PacketOut out, Budget budget) {
    if (notifies) {
      notifies = !sendNews(out, 0);
      if (notifies) {
        return true;
      }
    }
    while (count > 0) {
      if (budget.isSpent() || !out.isReady()) {
        return true;
      }
      OutboxEntry entry = entries[head];
      int psns = entry.kind == Kind.READ ? psnsOfNext(entry, out.longPayload()) : 1;
      MemorySegment packet = out.begin();
      int length;
      try {
        length = encode(entry, psns, packet);
      } catch (RuntimeException | Error e) {
        out.abandon();
        throw e;
      }
      if (length < 0) {
        out.abandon();
        if (entry.sentBefore) {
          remove();
        } else {
          int psn = entry.nextPsn();
          clear();
          responder.readFailed(psn, this);
        }
        continue;
      }
      if (out.commit(length) == 0) {
        return true;
      }
      budget.spend(length);
      if (entry.kind == Kind.ACKNOWLEDGE) {
        acknowledgements++;
        boolean isPower = (acknowledgements & acknowledgements - 1) == 0;
        tells |= isPower && acknowledgements >= FIRST_TOLD;
        if (tells && AethSyndrome.isAck(entry.syndrome)) {
          tellPsn = entry.nextPsn();
        }
      }
      if (entry.sent(psns)) {
        remove();
      }
    }
    return tells && !tell(out);
  }

  /**
   * Tells the peer about the receive buffer, unless it would not understand.
   *
   * @return false if the link currently takes nothing
   */
  private boolean tell(PacketOut out) {
    int bytes = out.receiveBuffer();
    if (bytes == 0 || tellPsn == NO_PSN) {
      return true;
    }
    if (!sendNews(out, bytes)) {
      return false;
    }
    tells = false;
    tellPsn = NO_PSN;
    return true;
  }

  /**
   * Sends what belongs to no message.
   *
   * @param receiveBuffer bytes of which the peer is told; 0 for a CNP
   * @return false if the link currently takes nothing
   */
  private boolean sendNews(PacketOut out, int receiveBuffer) {
    if (!out.isReady()) {
      return false;
    }
    MemorySegment packet = out.begin();
    int length;
    try {
      length = receiveBuffer > 0 ? bufferSize(packet, receiveBuffer) : notification(packet);
    } catch (RuntimeException | Error e) {
      out.abandon();
      throw e;
    }
    return out.commit(length) > 0;
  }

  private int notification(MemorySegment packet) {
    Cnp.write(packet, 0, parameters.pkey, parameters.destQpn);
    return Cnp.LENGTH;
  }

  private int bufferSize(MemorySegment packet, int bytes) {
    Bth.write(packet, 0, Opcode.VERBENA_BUFFER, 0, 0, parameters.pkey, parameters.destQpn, tellPsn);
    BufferSize.write(packet, Bth.LENGTH, bytes);
    return Bth.LENGTH + BufferSize.LENGTH;
  }

  private int psnsOfNext(OutboxEntry read, int longPayload) {
    return Math.min(read.left(), PacketEncoder.mostPsns(longPayload, parameters.mtu));
  }

  private int encode(OutboxEntry entry, int psns, MemorySegment packet) {
    return switch (entry.kind) {
      case ACKNOWLEDGE -> {
        header(packet, Opcode.RC_ACKNOWLEDGE, 0, entry.nextPsn());
        Aeth.write(packet, Bth.LENGTH, entry.syndrome, entry.msn);
        yield Bth.LENGTH + Aeth.LENGTH;
      }
      case ATOMIC -> {
        header(packet, Opcode.RC_ATOMIC_ACKNOWLEDGE, 0, entry.nextPsn());
        Aeth.write(packet, Bth.LENGTH, AethSyndrome.ACK_UNLIMITED, entry.msn);
        AtomicAckEth.write(packet, Bth.LENGTH + Aeth.LENGTH, entry.original);
        yield Bth.LENGTH + Aeth.LENGTH + AtomicAckEth.LENGTH;
      }
      case READ -> encodeRead(entry, psns, packet);
    };
  }

  private int encodeRead(OutboxEntry entry, int psns, MemorySegment packet) {
    long offset = (long) entry.sent * parameters.mtu;
    int length = (int) Math.min((long) psns * parameters.mtu, entry.length - offset);
    data.clear();
    if (!responder.resolveRead(entry.srqNum, entry.rkey, entry.va + offset, length, data)) {
      data.clear();
      return -1;
    }
    int opcode = entry.readOpcode(psns);
    int pad = Bth.padFor(length);
    header(packet, opcode, pad, entry.nextPsn());
    if (psns > 1) {
      Bth.further(packet, 0, psns - 1);
    }
    int at = Bth.LENGTH;
    if (Opcode.row(opcode).has(Aeth.BIT)) {
      Aeth.write(packet, at, AethSyndrome.ACK_UNLIMITED, entry.msn);
      at += Aeth.LENGTH;
    }
    int end = encoder.payload(packet, at, data, pad);
    data.clear();
    return end;
  }

  private void header(MemorySegment packet, int rcOpcode, int pad, int psn) {
    Bth.write(
        packet,
        0,
        service.opcodeBase + rcOpcode,
        Bth.MIG_REQ,
        pad,
        parameters.pkey,
        parameters.destQpn,
        psn);
  }

  private OutboxEntry entry(int index) {
    return entries[(head + index) % entries.length];
  }

  /** Removes an ACK or NAK, which is one of the last two entries. */
  private void withdraw(@Nullable OutboxEntry entry) {
    if (entry == null) {
      return;
    }
    int last = (head + count - 1) % entries.length;
    if (entries[last] != entry) {
      entries[(head + count - 2) % entries.length] = entries[last];
      entries[last] = entry;
    }
    count--;
  }

  /**
   * A new last entry; null if there is no room, which loses an answer that the peer will request
   * again.
   */
  private @Nullable OutboxEntry append() {
    if (count == entries.length) {
      if (count >= capacity()) {
        return null;
      }
      grow();
    }
    OutboxEntry entry = entries[(head + count) % entries.length];
    count++;
    return entry;
  }

  /** Makes more room, up to that for all READs and atomics that the peer may have outstanding. */
  private void grow() {
    OutboxEntry[] more = new OutboxEntry[Math.min(2 * count, capacity())];
    Arrays.setAll(more, i -> i < count ? entry(i) : new OutboxEntry());
    entries = more;
    head = 0;
  }

  private void remove() {
    if (entries[head].kind != Kind.ACKNOWLEDGE) {
      jobs--;
    }
    head = (head + 1) % entries.length;
    count--;
  }
}
