package dev.verbena.soft.transport.requester;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.RemoteAtomics;
import dev.verbena.soft.memory.SpanList;
import dev.verbena.soft.queue.SendOperation;
import dev.verbena.soft.queue.SendOperation.Content;
import dev.verbena.soft.queue.SendWqe;
import dev.verbena.soft.queue.TsoTemplate;
import dev.verbena.soft.transport.Chunk;
import dev.verbena.soft.transport.QpCore;
import dev.verbena.soft.transport.QpParameters;
import dev.verbena.soft.transport.Service;
import dev.verbena.soft.transport.frames.Segmenter;
import dev.verbena.verbs.Access;
import org.jspecify.annotations.Nullable;

/**
 * Cuts requests into chunks: what each says to the peer, and the data that goes with it. A message
 * is cut into units: of the path MTU, of the mss for TSO, or not at all. Under the requester guard.
 */
final class Chunker {
  /** With this bit of a Q_Key, the queue pair's own is sent. */
  private static final int PRIVILEGED_QKEY = 1 << 31;

  private final Service service;
  private final QpParameters parameters;
  private final KeyTable keys;
  private final Domain domain;
  private final Segmenter segmenter;
  private final Chunk chunk = new Chunk();
  private final SpanList scratch = new SpanList();
  private long sourceHi;
  private long sourceLo;

  /** Whether {@link #chunk} is the last of its request. */
  private boolean ends;

  Chunker(QpCore core) {
    service = core.service();
    parameters = core.parameters();
    keys = core.keys();
    domain = core.domain();
    segmenter = new Segmenter(service.isEthernet());
  }

  /** Sets this side's GID. */
  void source(long localHi, long localLo) {
    sourceHi = localHi;
    sourceLo = localLo;
  }

  /** The chunk that was described last. */
  Chunk chunk() {
    return chunk;
  }

  /** Whether {@link #chunk} is the last of its request. */
  boolean ends() {
    return ends;
  }

  /** Whether the local memory of a request may be used as it asks: NONE, or why not. */
  AccessFault checkMemory(SendWqe wqe) {
    scratch.clear();
    int right = wqe.operation().isAnsweredWithData() ? Access.LOCAL_WRITE : 0;
    AccessFault fault = wqe.data().resolve(keys, domain, right, 0, wqe.data().total(), scratch);
    scratch.clear();
    return fault;
  }

  /** How many PSNs the request takes. */
  int psns(SendWqe wqe) {
    long length = wqe.data().total();
    TsoTemplate tso = segmentation(wqe);
    if (tso != null) {
      return tso.segments(length);
    }
    boolean one = wqe.operation().isAtomic() || !service.cutsMessages();
    return one ? 1 : parameters.packets(length);
  }

  /** Bytes of the request's data that go with each PSN but the last. */
  private long unit(SendWqe wqe) {
    TsoTemplate tso = segmentation(wqe);
    if (tso != null) {
      return tso.mss();
    }
    return service.cutsMessages() ? parameters.mtu() : wqe.data().total();
  }

  /** How the data is cut into messages with headers of their own, or null. */
  private static @Nullable TsoTemplate segmentation(SendWqe wqe) {
    return wqe.operation().content() == Content.SEGMENTS ? wqe.tso() : null;
  }

  /**
   * Fills {@link #chunk} with the next PSNs of a request.
   *
   * @param sent PSNs of the request before these
   * @param psn the first of these
   * @param count how many
   * @param asks whether an acknowledgement is wanted though the message goes on
   * @return NONE, or why its memory cannot be used any more
   */
  AccessFault describe(SendWqe wqe, int sent, int psn, int count, boolean asks) {
    ends = sent + count == wqe.psnCount();
    SendOperation operation = wqe.operation();
    TsoTemplate tso = segmentation(wqe);
    // Each slice of a READ is a request of its own (S12.5.9), each TSO segment a message.
    boolean slice = operation.isRead() || tso != null;
    chunk.begin(operation.onWire(), slice || sent == 0, slice || ends, psn, count);
    address(wqe);
    chunk.srqNum(wqe.srqNum());
    chunk.flags(ends && wqe.isSolicited(), service.isAcknowledged() && (asks || slice || ends));
    long total = wqe.data().total();
    long unit = unit(wqe);
    long offset = sent * unit;
    long length = Math.min(total - offset, count * unit);
    return switch (operation.content()) {
      case DATA, VALUE, SEGMENTS -> {
        chunk.remote(wqe.remoteAddr(), wqe.rkey(), total);
        if (ends) {
          attach(wqe);
        }
        if (wqe.fillsChecksums()) {
          chunk.fillChecksums();
        }
        yield tso == null
            ? wqe.data().resolve(keys, domain, 0, offset, length, chunk.payload())
            : segment(wqe, tso, sent, offset, length);
      }
      case RANGE -> {
        chunk.remote(wqe.remoteAddr() + offset, wqe.rkey(), length);
        yield AccessFault.NONE;
      }
      case OPERANDS -> {
        chunk.remote(wqe.remoteAddr(), wqe.rkey(), RemoteAtomics.BYTES);
        chunk.operands(wqe.compare(), wqe.swapOrAdd());
        yield AccessFault.NONE;
      }
      case FLUSH -> {
        chunk.remote(wqe.remoteAddr(), wqe.rkey(), wqe.flushLength());
        chunk.flush(wqe.flushType(), wqe.flushLevel());
        yield AccessFault.NONE;
      }
      case NOTHING -> throw new IllegalStateException(operation.opcode() + " is not sent");
    };
  }

  private void address(SendWqe wqe) {
    boolean connected = service.isConnected();
    int destination = connected ? parameters.destQpn() : wqe.remoteQpn();
    chunk.address(sourceHi, sourceLo, destination, parameters.pkey());
    if (service.isDatagram()) {
      // S1.7.11: a privileged Q_Key is not the request's to choose.
      boolean own = (wqe.remoteQkey() & PRIVILEGED_QKEY) != 0;
      chunk.datagram().sender(parameters.qpNum(), own ? parameters.qkey() : wqe.remoteQkey());
      chunk.datagram().destination(wqe.destination());
    }
  }

  private AccessFault segment(SendWqe wqe, TsoTemplate tso, int index, long offset, long length) {
    scratch.clear();
    AccessFault fault = wqe.data().resolve(keys, domain, 0, offset, length, scratch);
    if (fault == AccessFault.NONE) {
      fault = segmenter.prepend(tso, index, ends, scratch, chunk.payload());
    }
    scratch.clear();
    return fault;
  }

  private void attach(SendWqe wqe) {
    if (wqe.operation().carriesImmediate()) {
      chunk.immediate(wqe.immOrKey());
    } else if (wqe.operation().carriesKey()) {
      chunk.invalidate(wqe.immOrKey());
    }
  }
}
