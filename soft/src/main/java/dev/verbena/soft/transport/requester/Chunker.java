package dev.verbena.soft.transport.requester;

import dev.verbena.soft.memory.AccessFault;
import dev.verbena.soft.memory.Domain;
import dev.verbena.soft.memory.KeyTable;
import dev.verbena.soft.memory.RemoteAtomics;
import dev.verbena.soft.memory.ScatterGather;
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
import dev.verbena.wire.Address;
import dev.verbena.wire.Psn;
import org.jspecify.annotations.Nullable;

/**
 * Cuts requests into chunks: their fields for the peer, and their data. The unit of a message is
 * the path MTU, the mss for TSO, or the whole message. Used under the requester guard.
 */
final class Chunker {
  /** A Q_Key with this bit is replaced by the queue pair's own. */
  private static final int PRIVILEGED_QKEY = 1 << 31;

  private final Service service;
  private final boolean acknowledged;

  /** Whether requests name a shared receive queue of the peer. */
  private final boolean namesQueues;

  private final QpParameters parameters;
  private final KeyTable keys;
  private final Domain domain;
  private final Segmenter segmenter;

  /** The last described chunk. */
  final Chunk chunk = new Chunk();

  private final SpanList scratch = new SpanList();
  private Address source = Address.UNSPECIFIED;

  /** Whether {@link #chunk} is the last of its request. */
  boolean ends;

  Chunker(QpCore core) {
    service = core.service();
    acknowledged = service.acknowledged;
    namesQueues = service == Service.XRC;
    parameters = core.parameters();
    keys = core.keys();
    domain = core.domain();
    segmenter = new Segmenter(service.ethernet);
  }

  /** Sets this side's GID. */
  void source(Address local) {
    source = local;
  }

  /**
   * Starts a request: finds its local memory, and with it the data for the peer, for {@link
   * #describe}, which must be called next.
   *
   * @return NONE, or the reason why the memory may not be used for the request
   */
  AccessFault find(SendWqe wqe) {
    ScatterGather data = wqe.data;
    SpanList found = chunk.payload;
    found.clear();
    int right = wqe.operation.answeredWithData ? Access.LOCAL_WRITE : 0;
    AccessFault fault = data.resolve(keys, domain, right, 0, data.total, found);
    if (fault != AccessFault.NONE) {
      found.clear();
    }
    return fault;
  }

  /** How many PSNs the request takes. */
  int psns(SendWqe wqe) {
    long length = wqe.data.total;
    Content content = wqe.operation.content;
    TsoTemplate tso = content == Content.SEGMENTS ? wqe.tso : null;
    if (tso != null) {
      return tso.segments(length);
    }
    boolean one = content == Content.OPERANDS || !service.cutsMessages;
    return one ? 1 : Psn.count(length, parameters.mtu);
  }

  /**
   * Fills {@link #chunk} with the next PSNs of a request.
   *
   * @param sent PSNs of the request before these
   * @param psn the first of these PSNs
   * @param count their number
   * @param asks whether to request an acknowledgement although the message goes on
   * @param found whether {@link #find} was called just now
   * @return NONE, or the reason why its memory can no longer be used
   */
  AccessFault describe(SendWqe wqe, int sent, int psn, int count, boolean asks, boolean found) {
    ends = sent + count == wqe.psnCount;
    SendOperation operation = wqe.operation;
    Content content = operation.content;
    TsoTemplate tso = content == Content.SEGMENTS ? wqe.tso : null;
    // Each slice of a READ is a request of its own (S12.5.9), each TSO segment a message.
    boolean slice = content == Content.RANGE || tso != null;
    chunk.begin(operation.onWire(), slice || sent == 0, slice || ends, psn, count);
    int qpn = service.connected ? parameters.destQpn : wqe.remoteQpn;
    boolean wantsAck = acknowledged && (asks || slice || ends);
    chunk.bth(source, qpn, parameters.pkey, ends && wqe.solicited, wantsAck);
    if (namesQueues) {
      chunk.srqNum(wqe.srqNum);
    } else if (service.datagram) {
      addressDatagram(wqe);
    }
    ScatterGather data = wqe.data;
    long total = data.total;
    boolean whole = sent == 0 && ends;
    long unit = whole ? total : unit(total, tso);
    long offset = sent * unit;
    long length = Math.min(total - offset, count * unit);
    boolean ready = found && whole && (content == Content.DATA || content == Content.VALUE);
    if (!ready) {
      chunk.payload.clear();
    }
    return switch (content) {
      case DATA, VALUE, SEGMENTS -> {
        chunk.remote(wqe.remoteAddr, wqe.rkey, total);
        if (ends && operation.carriesImmediate) {
          chunk.immediate(wqe.immOrKey);
        } else if (ends && operation.carriesKey) {
          chunk.invalidate(wqe.immOrKey);
        }
        if (wqe.fillsChecksums) {
          chunk.fillChecksums();
        }
        if (ready) {
          yield AccessFault.NONE;
        }
        yield tso == null
            ? data.resolve(keys, domain, 0, offset, length, chunk.payload)
            : segment(wqe, tso, sent, offset, length);
      }
      case RANGE -> {
        chunk.remote(wqe.remoteAddr + offset, wqe.rkey, length);
        yield AccessFault.NONE;
      }
      case OPERANDS -> {
        chunk.remote(wqe.remoteAddr, wqe.rkey, RemoteAtomics.BYTES);
        chunk.operands(wqe.compare, wqe.swapOrAdd);
        yield AccessFault.NONE;
      }
      case FLUSH -> {
        chunk.remote(wqe.remoteAddr, wqe.rkey, wqe.flushLength);
        chunk.flush(wqe.flushType, wqe.flushLevel);
        yield AccessFault.NONE;
      }
      case NOTHING -> throw new IllegalStateException(operation.opcode + " is not sent");
    };
  }

  /** Bytes of the request's data that go with each PSN but the last. */
  private long unit(long total, @Nullable TsoTemplate tso) {
    if (tso != null) {
      return tso.mss();
    }
    return service.cutsMessages ? parameters.mtu : total;
  }

  private void addressDatagram(SendWqe wqe) {
    // S1.7.11: a request cannot choose a privileged Q_Key.
    boolean own = (wqe.remoteQkey & PRIVILEGED_QKEY) != 0;
    chunk.datagram.sender(parameters.qpNum, own ? parameters.qkey : wqe.remoteQkey);
    chunk.datagram.destination(wqe.destination);
  }

  private AccessFault segment(SendWqe wqe, TsoTemplate tso, int index, long offset, long length) {
    scratch.clear();
    AccessFault fault = wqe.data.resolve(keys, domain, 0, offset, length, scratch);
    if (fault == AccessFault.NONE) {
      fault = segmenter.prepend(tso, index, ends, scratch, chunk.payload);
    }
    scratch.clear();
    return fault;
  }
}
