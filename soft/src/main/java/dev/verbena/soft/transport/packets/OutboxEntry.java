package dev.verbena.soft.transport.packets;

import dev.verbena.wire.Opcode;
import dev.verbena.wire.Psn;

/** One waiting answer in an {@link Outbox}, which reads its fields; reused. */
final class OutboxEntry {
  enum Kind {
    ACKNOWLEDGE,
    READ,
    ATOMIC
  }

  Kind kind = Kind.ACKNOWLEDGE;
  private int psn;
  private int psnCount;

  /** The number of its PSNs that were sent. */
  int sent;

  /** Whether it repeats the answer to a READ that was sent whole. */
  boolean sentBefore;

  int msn;
  int syndrome;
  int srqNum;
  int rkey;
  long va;
  long length;
  long original;

  void acknowledge(int sequence, int aethSyndrome, int messages) {
    begin(Kind.ACKNOWLEDGE, sequence, 1, messages);
    syndrome = aethSyndrome;
  }

  void read(
      int sequence,
      int count,
      int messages,
      int srq,
      int key,
      long addr,
      long bytes,
      boolean again) {
    begin(Kind.READ, sequence, count, messages);
    sentBefore = again;
    srqNum = srq;
    rkey = key;
    va = addr;
    length = bytes;
  }

  void atomic(int sequence, int messages, long found) {
    begin(Kind.ATOMIC, sequence, 1, messages);
    original = found;
  }

  /** Records that so many of its PSNs were sent; returns true if there are no more. */
  boolean sent(int psns) {
    sent += psns;
    return sent == psnCount;
  }

  /** Whether it answers the READ or atomic that has, or had, this PSN. */
  boolean isAnswerTo(int sequence) {
    int offset = Psn.diff(sequence, psn);
    return kind != Kind.ACKNOWLEDGE && offset >= 0 && offset < psnCount;
  }

  int nextPsn() {
    return Psn.add(psn, sent);
  }

  int left() {
    return psnCount - sent;
  }

  /** The RC opcode of the next packet of a READ's answer, which has so many PSNs. */
  int readOpcode(int psns) {
    if (psns == psnCount) {
      return Opcode.RC_READ_RESPONSE_ONLY;
    }
    if (sent == 0) {
      return Opcode.RC_READ_RESPONSE_FIRST;
    }
    return psns == left() ? Opcode.RC_READ_RESPONSE_LAST : Opcode.RC_READ_RESPONSE_MIDDLE;
  }

  private void begin(Kind what, int sequence, int count, int messages) {
    kind = what;
    psn = sequence;
    psnCount = count;
    sent = 0;
    msn = messages;
  }
}
